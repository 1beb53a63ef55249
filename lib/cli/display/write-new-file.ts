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

export async function writeNewFile(
  { cwd }: Pick<Shell, "cwd">,
  file: string,
  content: string | Uint8Array,
): Promise<void> {
  const path = resolve(cwd, file);
  try {
    await writeFile(path, content, { flag: "wx" });
  } catch (error) {
    throw codeOf(error) === "EEXIST" ? isThere(file) : explainFile(error, path);
  }
}
