import { describe, expect, it } from "vitest";
import { probableSecret, secretByForm, secretByName } from "./secret-files.ts";

const PRIVATE = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----\n";
const CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END CERTIFICATE-----\n";

describe("files that are secrets by their name", () => {
  it.each([
    [".env", ".env file"],
    ["api/.ENV.production", ".env file"],
    ["deploy/prod.env", ".env file"],
    [".env~", ".env file"],
    [".env-local", ".env file"],
    ["two\nlines/.ssh/a\nb", "SSH key"],
    ["id_ed25519", "SSH key"],
    ["home/.ssh/work", "SSH key"],
    ["putty/a.ppk", "SSH key"],
    [".gnupg/private-keys-v1.d/a", "PGP key ring"],
    ["sign.p12", "key store"],
    ["android/release.keystore", "key store"],
    [".netrc", "credentials file"],
    [".aws/credentials", "credentials file"],
    ["x/.config/gcloud/access_tokens.db", "credentials file"],
    ["infra/terraform.tfstate", "Terraform state file"],
    ["infra/terraform.tfstate.1700000000.backup", "Terraform state file"],
    [".kube/config", "kubeconfig"],
    [".bash_history", "history file"],
  ])("%s is left out", (path, reason) => expect(secretByName(path)).toBe(reason));

  it.each([
    ...[
      ".env.example",
      "api/.env.local.sample",
      ".env.template",
      ".env-sample",
      ".environment",
      ".envrc",
      "src/env.ts",
      "environment",
      "x.env.d.ts",
    ],
    ...["id_rsa.pub", ".ssh/id_rsa.pub", "src/id_rsa.ts", "credentials.ts", "kube/config", "tfstate.md", "keys.json"],
  ])("%s is not", (path) => expect(secretByName(path)).toBeUndefined());
});

describe("files that are secrets by their form", () => {
  it.each<[string, string | undefined, string | undefined]>([
    ["tls/server.pem", PRIVATE, "private key"],
    ["tls/server.key", CERTIFICATE + PRIVATE, "private key"],
    ["tls/raw.key", "7f3a9c", "private key"],
    ["tls/der.key", undefined, "private key"],
    ["tls/ca.pem", `# Root\n${CERTIFICATE}`, undefined],
    [".npmrc", "//registry.example/:_authToken=npm_abc\n", "credentials file"],
    [".npmrc", `//registry.example/:_authToken=${"$"}{NPM_TOKEN}\nengine-strict=true\n`, undefined],
    [".pypirc", "[pypi]\nusername = a\npassword = hunter\n", "credentials file"],
    [".aws-like/credentials", "[default]\naws_secret_access_key = x\n", "credentials file"],
    ["client_secret_1.json", '{"installed": {"client_secret": "x"}}', "credentials file"],
    ["gcp.json", '{"type": "service_account", "private_key": ""}', "service account"],
    ["package.json", '{"type": "module"}', undefined],
    ["cluster.yaml", "users:\n- user:\n    client-key-data: TFM=\n", "kubeconfig"],
    ["deployment.yaml", "kind: Deployment\n", undefined],
  ])("%s", (path, text, reason) => expect(secretByForm(path, text)).toBe(reason));
});

describe("a secret in a text", () => {
  const drawn = "Kq7Zr2Xw9Tb4Vn6M";

  it("is found with its line, and not where it is an example", () => {
    expect(probableSecret(`a\nb\nkey = "AKIA${drawn.toUpperCase()}"\n`)).toEqual({ kind: "aws access key", line: 3 });
    expect(probableSecret(`x\n${PRIVATE}`)).toEqual({ kind: "private key", line: 2 });
    expect(probableSecret('key = "AKIAIOSFODNN7EXAMPLE"\n')).toBeUndefined();
    const both = `"AKIAIOSFODNN7EXAMPLE"\n"AKIA${drawn.toUpperCase()}"\n`;
    expect(probableSecret(both)).toMatchObject({ line: 2 });
  });

  it("is the password of a URL only where it was drawn", () => {
    expect(probableSecret(`postgres://app:${drawn}@db.internal/app`)).toMatchObject({ kind: "password in a URL" });
    expect(probableSecret("https://joe:a%20word@host.org/")).toBeUndefined();
  });
});
