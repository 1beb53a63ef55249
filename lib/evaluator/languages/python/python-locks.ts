/** The versions that a project's lock file names: uv.lock, poetry.lock, pdm.lock, pylock.toml. */
import { parse } from "smol-toml";
import { readManifestText } from "../../packages/manifest-text.ts";
import { parseRequirement } from "./requirement.ts";
import { tableAt, textAt } from "./toml-values.ts";

const LOCKS = ["uv.lock", "poetry.lock", "pdm.lock", "pylock.toml"];
const LOCK_BYTES = 8 * 1024 * 1024;

export interface PythonLock {
  file: string;
  /** As `name==version`. What is there in several versions, or from elsewhere than an index, is left to its manifest. */
  versions: string[];
}

export async function lockIn(folder: string): Promise<PythonLock | undefined> {
  for (const file of LOCKS) {
    const { text } = await readManifestText(folder, file, LOCK_BYTES);
    const versions = text === undefined ? [] : versionsIn(text);
    if (versions.length > 0) return { file, versions };
  }
  return undefined;
}

/** Of a lock file that cannot be followed: what to do about it. */
export const lockProblem = (path: string, why: string): string =>
  `${path}: not followed, it does not fit what the project asks for (${why}): write it again and keep it, or remove it`;
/** Of what an installation lacks, those lines. */
export const isLockProblem = (line: string): boolean => /^[^:]*(?:\.lock|pylock\.toml): not followed/.test(line);

export function versionsIn(text: string): string[] {
  const versions = new Map<string, Set<string>>();
  for (const one of packagesIn(text)) {
    const [name = "", version = ""] = [textAt(one, "name"), textAt(one, "version")];
    const source = tableAt(one, "source");
    const isElsewhere =
      source !== undefined && !Object.hasOwn(source, "registry") && textAt(source, "type") !== "legacy";
    if (parseRequirement(`${name}==${version}`)?.name === name)
      versions.set(name, (versions.get(name) ?? new Set()).add(isElsewhere ? "" : version));
  }
  return [...versions].flatMap(([name, all]) => (all.size === 1 && !all.has("") ? [`${name}==${[...all][0]}`] : []));
}

function packagesIn(text: string): unknown[] {
  try {
    const parsed = tableAt(parse(text));
    const found = parsed?.package ?? parsed?.packages;
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}
