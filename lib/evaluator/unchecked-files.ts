/** Reports files that no check looks at, so that no code hides in them. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../core/verdict/verdict.ts";
import { nothingToCheck, type SyntaxResult } from "./language.ts";
import type { ChangedFile } from "./stubs/changed-stubs.ts";
import { isSkipped, type Tree } from "./tree.ts";

const RULE = "unchecked-folder";
/** Paths listed at most. */
const REPORTED = 20;

/** A file that an instruction writes into such a folder is an error; one that came with the task is not. */
export function uncheckedFilesIn(tree: Tree, changed: ChangedFile[], paths?: string[]): SyntaxResult[] {
  const written = changed.filter(({ path }) => isSkipped(path) && existsSync(join(tree.folder, path)));
  const errors: Finding[] = written.slice(0, REPORTED).map(({ path }) => ({ path, message: MISPLACED, rule: RULE }));
  const warnings = paths ? [] : warningsIn(tree);
  if (errors.length === 0 && warnings.length === 0) return [];
  const advice = warnings.length > 0 ? { warnings } : {};
  return errors.length > 0 ? [{ status: "failed", errors, ...advice }] : [{ ...nothingToCheck, ...advice }];
}

const MISPLACED =
  "it lies in a folder for what tools leave behind, where nothing is checked or tested: write it somewhere else";

function warningsIn(tree: Tree): Finding[] {
  const unchecked = [...(tree.unchecked ?? []), ...emptySubmodules(tree)];
  const advice = unchecked
    .slice(0, REPORTED)
    .map(({ path, why }) => ({ path, message: `not checked: ${why}`, rule: RULE }));
  const more = unchecked.length - REPORTED;
  return more > 0 ? [...advice, { path: "", message: `not checked: ${more} more of that kind`, rule: RULE }] : advice;
}

const SUBMODULES = ".gitmodules";
const SUBMODULES_BYTES = 64 * 1024;

/** Code in a submodule that was not fetched is missing, whatever else is said of it. */
function emptySubmodules({ folder, files }: Tree): NonNullable<Tree["unchecked"]> {
  const list = join(folder, SUBMODULES);
  if (!files.includes(SUBMODULES) || statSync(list).size > SUBMODULES_BYTES) return [];
  return [...readFileSync(list, "utf8").matchAll(/^[ \t]*path[ \t]*=[ \t]*(\S+)[ \t]*$/gm)].flatMap(([, path = ""]) =>
    files.some((file) => file.startsWith(`${path}/`)) ? [] : [{ path, why: NOT_FETCHED }],
  );
}

const NOT_FETCHED = "it is a Git submodule that was not fetched: run `git submodule update --init` before the run";
