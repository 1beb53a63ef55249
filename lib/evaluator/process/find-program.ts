/** Where a program is on this computer, and what it answers when it is asked about itself. */
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { Surroundings, Tool } from "../language.ts";

export const findProgram = (name: string, folders: string[]): string | undefined =>
  folders.map((folder) => join(folder, name)).find(isProgram);

/** A program that needs nothing beside it. */
export function plainTool(name: string): (surroundings: Surroundings) => Tool | undefined {
  return ({ folders }) => {
    const program = findProgram(name, folders);
    return program ? { program, readable: [] } : undefined;
  };
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const PROBE_MS = 10_000;

/** What it prints; undefined where it fails. */
export function answerOf(program: string, args: string[], env: Record<string, string | undefined>): string | undefined {
  const probe = spawnSync(program, args, {
    env,
    encoding: "utf8",
    timeout: PROBE_MS,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return probe.status === 0 ? probe.stdout : undefined;
}

/** Of a folder that a program was installed into: its own parts, because more may lie there, such as a project. */
export const partsOf = (prefix: string): string[] =>
  ["bin", "sbin", "lib", "lib64", "libexec", "include", "ssl", "pyvenv.cfg"]
    .map((name) => join(prefix, name))
    .filter((path) => existsSync(path));

/** Where a link leads. Nowhere where it leads to nothing. */
export function resolved(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}
