/** What a generated project asks to have installed, read from its manifests alone. Only names and versions pass. */
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { declaredPackages, parseManifest } from "./kinds/javascript-manifest.ts";

/** Packages by name, each with the requirement as its installer wants it. */
export type Requirements = Map<string, string>;

export interface Wanted {
  requirements: Requirements;
  /** What is not installed, each with the reason. */
  refused: string[];
}

const MANIFEST_BYTES = 256 * 1024;
const REQUIREMENTS = 300;

export async function readOwnFile(folder: string, name: string): Promise<string | undefined> {
  try {
    const found = await lstat(join(folder, name));
    return found.isFile() && found.size <= MANIFEST_BYTES ? await readFile(join(folder, name), "utf8") : undefined;
  } catch {
    return undefined;
  }
}

/** A name, extras, versions, a condition. No address, no path, no option: those could fetch from anywhere. */
const PYTHON_REQUIREMENT =
  /^([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[[\w\s,.-]*\])?\s*(?:\(?(?:[~=!<>]=?=?)\s*[\w.*+!-]+(?:\s*,\s*[~=!<>]=?=?\s*[\w.*+!-]+)*\)?)?\s*(?:;[^\n]*)?$/;

export function pythonRequirements(lines: string[], source: string): Wanted {
  const wanted: Wanted = { requirements: new Map(), refused: [] };
  for (const line of lines.map(withoutComment).filter((text) => text !== "")) {
    const name = PYTHON_REQUIREMENT.exec(line)?.[1];
    if (name === undefined) wanted.refused.push(`${line}: refused, ${source} may only name packages and versions`);
    else if (wanted.requirements.size < REQUIREMENTS) wanted.requirements.set(nameKey(name), line);
  }
  return wanted;
}

/** Lines of a requirements file; a backslash at the end joins the next one, and hashes say nothing about what to have. */
export const requirementLines = (text: string): string[] =>
  text
    .replaceAll(/\\\r?\n/g, " ")
    .split(/\r?\n/)
    .map((line) => line.replaceAll(/\s--hash=\S+/g, ""));

const withoutComment = (line: string): string => line.replace(/(?:^|\s)#.*$/, "").trim();

/** Names of Python packages are equal without case and with any separator. */
export const nameKey = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, "-");

const NODE_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i;
const NODE_VERSION = /^(?:npm:(?:@[\w.-]+\/)?[\w.-]+@)?[\w.*^~<>=|\s+-]*$/;

export function nodeRequirements(text: string): Wanted {
  const wanted: Wanted = { requirements: new Map(), refused: [] };
  for (const [name, version] of Object.entries(declaredPackages(parseManifest(text))).slice(0, REQUIREMENTS)) {
    if (NODE_NAME.test(name) && NODE_VERSION.test(version)) wanted.requirements.set(name, version);
    else wanted.refused.push(`${name}@${version}: refused, package.json may only name packages and versions`);
  }
  return wanted;
}
