/** Writes what a command was asked for with `--out`, and never over something that is there. */
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { UserError } from "../../core/errors.ts";
import { codeOf, explainFile } from "../../host/storage-errors.ts";
import type { Shell } from "./shell.ts";

export const isThere = (file: string): UserError =>
  new UserError(`--out ${file} is there already; it was not changed.`, {
    exitCode: 2,
    remedy: "Give --out the name of a new file, or remove that one first.",
  });

const noFolder = (file: string): UserError =>
  new UserError(`There is no folder for ${file}; nothing was written.`, {
    exitCode: 2,
    remedy: "Make the folder first, or name a file in one that is there.",
  });

export async function writeNewFile(
  { cwd }: Pick<Shell, "cwd">,
  file: string,
  content: string | Uint8Array,
): Promise<void> {
  const path = resolve(cwd, file);
  try {
    await writeFile(path, content, { flag: "wx" });
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw isThere(file);
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") throw noFolder(file);
    throw explainFile(error, path);
  }
}
