/** The manifest beside a delivered folder or zip. Only one that we wrote there is replaced. */
import { readFile, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { writeWhole } from "../../host/atomic-file.ts";
import { readManifestText } from "./verify-delivery.ts";

export const manifestBeside = (stem: string): string => `${stem}.manifest.json`;

/** `name.zip` and `name` have their manifest at the same place. */
export const stemOf = (path: string): string => join(dirname(path), basename(path)).replace(/\.zip$/i, "");

/** Returns the file that was left as others made it, with why. */
export async function writeBeside(stem: string, manifest: string): Promise<string[]> {
  const path = manifestBeside(stem);
  const there = await textAt(path);
  if (there === manifest) return [];
  if (there !== undefined && !readManifestText(there)) return [`${path} (another file is there)`];
  await writeWhole(path, manifest);
  return [];
}

/** What an earlier delivery of the run left says nothing about the files that are there now. */
export async function removeStale(stem: string, runId: string): Promise<void> {
  const there = readManifestText((await textAt(manifestBeside(stem))) ?? "");
  if (there?.statement.predicate.runDetails.metadata.invocationId !== runId) return;
  await rm(manifestBeside(stem), { force: true });
}

/** A folder or a device there is no text of ours either. */
async function textAt(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : "";
  }
}
