/** Evaluates small trees for tests, with the programs of this computer. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Verdict } from "../../lib/core/verdict/verdict.ts";
import { createEvaluate, type EvaluateParts, type TreeRequest } from "../../lib/evaluator/evaluate.ts";
import { unsealed } from "../../lib/sandbox/seal.ts";
import { findToolchain } from "../../lib/sandbox/toolchain.ts";

export type Files = Record<string, string | Uint8Array>;

export const toolchain = findToolchain({ env: process.env, node: process.execPath });
export const noPython = toolchain.python === undefined;

const folders: string[] = [];

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "l2mac-test-"));
  chmodSync(folder, 0o755); // Sealed commands may run as somebody else.
  folders.push(folder);
  return folder;
}

/** What outlasts the evaluations of one test file. */
let kept: string | undefined;

export function removeFolders(): void {
  kept = undefined;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export function layTree(files: Files): string {
  const folder = newFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

export function evaluation(
  files: Files,
  asked: Partial<TreeRequest> = { syntax: {}, tests: {} },
  parts: Partial<EvaluateParts> = {},
): Promise<Verdict> {
  kept ??= newFolder();
  const evaluateTree = createEvaluate({
    kept,
    seal: unsealed("tests"),
    toolchain,
    scratch: newFolder(),
    now: Date.now,
    newId: () => "request",
    ...parts,
  });
  return evaluateTree(layTree(files), { timeoutMs: 30_000, ...asked });
}

/** Whether a Python program ends well here. */
export const pythonCan = (program: string): boolean =>
  toolchain.python !== undefined && spawnSync(toolchain.python, ["-c", program], { env: {} }).status === 0;
