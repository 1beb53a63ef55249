/** The versions that a project's lock file names: uv.lock, poetry.lock, pdm.lock, pylock.toml. */
import { parse } from "smol-toml";
import { readManifestText } from "../../packages/manifest-text.ts";
import { parseRequirement } from "./requirement.ts";
import { tableAt, textAt } from "./toml-values.ts";

const LOCKS = ["uv.lock", "poetry.lock", "pdm.lock", "pylock.toml"];
const LOCK_BYTES = 8 * 1024 * 1024;

/** As `name==version`. What is there in several versions, or from elsewhere than an index, is left to its manifest. */
export async function lockedVersions(folder: string): Promise<string[]> {
  for (const name of LOCKS) {
    const { text } = await readManifestText(folder, name, LOCK_BYTES);
    const found = text === undefined ? [] : versionsIn(text);
    if (found.length > 0) return found;
  }
  return [];
}

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
