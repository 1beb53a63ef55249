/** Compares the copy in which commands ran with the tree that it was made from. */
import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isFoundByRunners } from "../core/verdict/test-paths.ts";
import type { Tree } from "./tree.ts";

/** The first of these files that is not in the copy as it is in the tree. */
export const firstChanged = (files: string[], folder: string, copied: string): string | undefined =>
  files.find((path) => !isSame(join(folder, path), join(copied, path)));

/** vitest and jest write what a test of inline snapshots expects into its file, the first time. */
export const exchangedTest = ({ files, folder }: Tree, copied: string): string | undefined =>
  firstChanged(
    files.filter((path) => isFoundByRunners(path) && !readFileSync(join(folder, path)).includes("InlineSnapshot")),
    folder,
    copied,
  );

function isSame(own: string, copied: string): boolean {
  try {
    return (
      lstatSync(copied).isFile() &&
      realpathSync(copied) === copied &&
      lstatSync(copied).size === lstatSync(own).size &&
      readFileSync(copied).equals(readFileSync(own))
    );
  } catch {
    return false;
  }
}
