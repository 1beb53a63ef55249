/** Seals the installers: they see of this computer what reaching a registry takes, and some of them have the network. */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withFilter } from "../evaluator/process/run-command.ts";
import { filtered, type Seal, type SealedCommand, type SealParts, writeFilter } from "./seal.ts";
import { ETC_FILES, NOTHING } from "./seal-etc.ts";
import { viewArguments } from "./seal-view.ts";
import { findProgram } from "./toolchain.ts";

const ALONE = ["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"];
const TIED = ["--die-with-parent", "--new-session", "--hostname", "installer", "--info-fd", "3", "--cap-drop", "ALL"];
/** The files belong to the user who runs us; inside, the installers have another uid, so that even root's are unprivileged. */
const NOBODY = ["--uid", "65534", "--gid", "65534"];

/** Where systems keep the certificates of authorities; the folders beside them hold private keys. */
const CERTIFICATES = [
  ...["/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/ssl/openssl.cnf", "/etc/ca-certificates/extracted"],
  ...["/etc/pki/ca-trust/extracted", "/etc/pki/tls/certs", "/etc/pki/tls/cert.pem", "/etc/pki/tls/openssl.cnf"],
  ...["/etc/crypto-policies/back-ends"],
];

/** Names are looked up as this computer does it, as far as files and name servers go. */
const LOOKUP = "passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n";

/** Undefined: there is none that works here. */
export function findInstallSeal(parts: Omit<SealParts, "uid">): Seal | undefined {
  const bwrap = findProgram("bwrap", parts.path);
  if (!bwrap) return undefined;
  const etc = join(parts.folder, "etc-installer");
  mkdirSync(etc, { recursive: true });
  const limits = findProgram("prlimit", parts.path);
  const sealings = [writeFilter(parts.folder), undefined].map(
    (filter): Seal => ({
      seal: (command) => ({
        argv: sealedArguments(command, { ...parts, bwrap, etc, limits, filter }),
        saysFirst: true,
        ...(filter ? { filter } : {}),
      }),
      isOffline: true,
      describe: () => ({ sealed: true, how: "bubblewrap" }),
    }),
  );
  return sealings.find((sealing) => works(sealing, parts));
}

interface InstallSealParts extends Pick<SealParts, "readable"> {
  bwrap: string;
  etc: string;
  limits: string | undefined;
  filter: string | undefined;
}

function sealedArguments(command: SealedCommand, { bwrap, etc, limits, filter, readable }: InstallSealParts): string[] {
  layEtc(etc);
  const seen = [...readable, ...command.readable, ...CERTIFICATES].filter((path) => existsSync(path));
  const view = viewArguments({ writable: command.writable, readable: [...new Set(seen)], etc });
  const names = ["--perms", "0755", "--dir", "/etc", "--ro-bind", join(etc, "resolv.conf"), "/etc/resolv.conf"];
  const bounds = limits ? [limits, "--core=0", `--fsize=${FILE_BYTES}`, "--"] : [];
  return [
    bwrap,
    ...ALONE,
    ...(command.hasNetwork ? [] : ["--unshare-net"]),
    ...NOBODY,
    ...TIED,
    ...filtered(filter),
    ...names,
    ...view,
    "--chdir",
    command.cwd,
    "--",
    ...bounds,
    ...command.argv,
  ];
}

/** Of one file: the largest packages are below a gigabyte. */
const FILE_BYTES = 2 * 1024 ** 3;

/** Read each time, because a computer moves between networks. */
function layEtc(etc: string): void {
  for (const [name, text] of Object.entries({ ...ETC_FILES, [NOTHING]: "" }))
    writeFileSync(join(etc, name), text, { mode: 0o644 });
  writeFileSync(join(etc, "nsswitch.conf"), LOOKUP);
  for (const name of ["hosts", "resolv.conf"]) {
    const own = join("/etc", name);
    if (existsSync(own)) copyFileSync(own, join(etc, name));
    else writeFileSync(join(etc, name), ETC_FILES[name] ?? "");
  }
}

const TRIAL_MS = 10_000;
const TRIAL = `require("fs").writeFileSync("trial", require("fs").readFileSync("/etc/hosts"))`;

function works(sealing: Seal, { folder, node }: Omit<SealParts, "uid">): boolean {
  const cwd = mkdtempSync(join(folder, "trial-"));
  try {
    const sealed = sealing.seal({ argv: [node, "-e", TRIAL], cwd, writable: [cwd], readable: [] });
    const [program = "", ...args] = sealed.argv;
    const started = withFilter(sealed, (more) =>
      spawnSync(program, args, { cwd, env: {}, timeout: TRIAL_MS, stdio: ["ignore", "ignore", "ignore", ...more] }),
    );
    return started.status === 0;
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
