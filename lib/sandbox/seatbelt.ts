/** The seal of macOS, by `sandbox-exec`. It is taken only where a trial shows that it lets through and that it closes. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Seal, SealedCommand, SealParts } from "./seal.ts";
import { limitedByShell } from "./seal-limits.ts";
import { seatbeltArguments } from "./seatbelt-profile.ts";
import { findProgram } from "./toolchain.ts";

/** Undefined: there is none, or it does not hold. */
export function findSeatbelt(parts: SealParts): Seal | undefined {
  const program = findProgram("sandbox-exec", parts.path);
  if (!program) return undefined;
  const sealing = sealedBy(program, parts.readable);
  return holds(sealing, parts) ? sealing : undefined;
}

const sealedBy = (program: string, readable: string[]): Seal => ({
  seal: (command) => {
    const view = viewOf({ ...command, readable: [...readable, ...command.readable] });
    return { argv: [...limitedByShell(), program, ...seatbeltArguments(view), ...command.argv] };
  },
  describe: () => ({
    sealed: true,
    how: "sandbox-exec, without any network, without limits on all processes together",
  }),
});

const viewOf = ({ writable, readable, cwd }: Omit<SealedCommand, "argv">) => ({
  writable: writable.map(realPath),
  readable: [...new Set([cwd, ...readable].map(realPath))],
});

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const TRIAL_MS = 10_000;
/** Port 9 refuses, where the network is there; denied, a connection is not even tried. */
const TRIAL = `const fs = require("fs"), canary = process.argv[1];
fs.writeFileSync("trial", "");
for (const open of [() => fs.readFileSync(canary), () => fs.writeFileSync(canary, ""), () => fs.readdirSync(require("path").dirname(canary))]) {
  try { open(); process.exit(1); } catch (error) { if (!["EPERM", "EACCES"].includes(error.code)) process.exit(2); }
}
require("net").connect(9, "127.0.0.1").on("connect", () => process.exit(3))
  .on("error", ({ code }) => { console.log("closed"); process.exit(["EPERM", "EACCES"].includes(code) ? 0 : 4); });`;

function holds(sealing: Seal, { folder, node }: SealParts): boolean {
  const [cwd, outside] = [mkdtempSync(join(folder, "trial-")), mkdtempSync(join(folder, "outside-"))];
  const canary = join(realPath(outside), "canary");
  try {
    writeFileSync(canary, "readable", { mode: 0o600 });
    const sealed = sealing.seal({ argv: [node, "-e", TRIAL, canary], cwd, writable: [cwd], readable: [] });
    const [program = "", ...args] = sealed.argv;
    const { status, stdout } = spawnSync(program, args, { cwd, env: {}, timeout: TRIAL_MS, encoding: "utf8" });
    return status === 0 && stdout === "closed\n";
  } finally {
    for (const each of [cwd, outside]) rmSync(each, { recursive: true, force: true });
  }
}
