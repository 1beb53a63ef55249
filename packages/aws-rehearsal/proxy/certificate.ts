/** A self-signed certificate for the loopback interface and for names that lead to it, made at the start. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Certificate {
  key: string;
  /** PEM, for who wants to trust it. */
  cert: string;
}

export function makeCertificate(names: string[] = []): Certificate {
  const folder = mkdtempSync(join(tmpdir(), "l2mac-certificate-"));
  const subjects = `subjectAltName=${["IP:127.0.0.1", ...names.map((name) => `DNS:${name}`)].join(",")}`;
  try {
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    execFileSync(
      "openssl",
      [
        ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"],
        ...["-subj", "/CN=127.0.0.1", "-addext", subjects, "-keyout", key, "-out", cert],
      ],
      { stdio: "ignore" },
    );
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
