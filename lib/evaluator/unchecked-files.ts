/** What of a tree nobody checks, and what was written there all the same: named, so that no code hides from the checks. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../core/verdict/verdict.ts";
import { nothingToCheck, type SyntaxResult } from "./language.ts";
import type { ChangedFile } from "./stubs/changed-stubs.ts";
import { isSkipped, type Tree } from "./tree.ts";

const RULE = "unchecked-folder";
/** Who has more of them knows where they come from. */
const TOLD = 20;

/** What an instruction writes into such a folder is an error; what came with the task is not. */
export function uncheckedFilesIn(tree: Tree, changed: ChangedFile[], paths?: string[]): SyntaxResult[] {
  const written = changed.filter(({ path }) => isSkipped(path) && existsSync(join(tree.folder, path)));
  const errors: Finding[] = written.slice(0, TOLD).map(({ path }) => ({ path, message: MISPLACED, rule: RULE }));
  const warnings = paths ? [] : warningsIn(tree);
  if (errors.length === 0 && warnings.length === 0) return [];
  const told = warnings.length > 0 ? { warnings } : {};
  return errors.length > 0 ? [{ status: "failed", errors, ...told }] : [{ ...nothingToCheck, ...told }];
}

const MISPLACED =
  "it lies in a folder for what tools leave behind, where nothing is checked or tested: write it somewhere else";

function warningsIn({ unchecked = [] }: Tree): Finding[] {
  const told = unchecked.slice(0, TOLD).map(({ path, why }) => ({ path, message: `not checked: ${why}`, rule: RULE }));
  const more = unchecked.length - TOLD;
  return more > 0 ? [...told, { path: "", message: `not checked: ${more} more of that kind`, rule: RULE }] : told;
}
