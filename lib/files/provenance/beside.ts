/** The manifest and the bill of materials beside a delivered folder or zip. Only what we wrote there is replaced. */
import { readFile, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { writeWhole } from "../../host/atomic-file.ts";
import { readManifestText } from "./verify-delivery.ts";

export const manifestBeside = (stem: string): string => `${stem}.manifest.json`;
export const bomBeside = (stem: string): string => `${stem}.cdx.json`;

/** `name.zip` and `name` have their manifest at the same place. */
export const stemOf = (path: string): string => join(dirname(path), basename(path)).replace(/\.zip$/i, "");

export interface DeliveryTexts {
  manifest: string;
  bom: string;
}

/** Returns the files that were left as others made them, each with why. */
export async function writeBeside(stem: string, { manifest, bom }: DeliveryTexts): Promise<string[]> {
  const left: string[] = [];
  for (const { path, text, isOwn } of [
    { path: manifestBeside(stem), text: manifest, isOwn: isManifest },
    { path: bomBeside(stem), text: bom, isOwn: isBill },
  ]) {
    const there = await textAt(path);
    if (there === text) continue;
    if (there !== undefined && !isOwn(there)) left.push(`${path} (another file is there)`);
    else await writeWhole(path, text);
  }
  return left;
}

/** What an earlier delivery of the run left says nothing about the files that are there now. */
export async function removeStale(stem: string, runId: string): Promise<void> {
  const there = readManifestText((await textAt(manifestBeside(stem))) ?? "");
  if (there?.statement.predicate.runDetails.metadata.invocationId !== runId) return;
  await rm(manifestBeside(stem), { force: true });
  if (isBill((await textAt(bomBeside(stem))) ?? "")) await rm(bomBeside(stem), { force: true });
}

const isManifest = (text: string): boolean => readManifestText(text) !== undefined;

const isBill = (text: string): boolean => {
  try {
    const { bomFormat, metadata } = JSON.parse(text);
    return bomFormat === "CycloneDX" && metadata.tools.components[0].name === "l2mac";
  } catch {
    return false;
  }
};

/** A folder or a device there is no text of ours either. */
async function textAt(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : "";
  }
}
