/** Which packages a package.json may ask for. Pure. */
import { shown } from "../../packages/manifest-text.ts";
import { bounded, OWN_NAME, REQUIREMENTS, type WantedPackages } from "../../packages/manifests.ts";
import { declaredPackages, parseManifest } from "./manifest.ts";

const NODE_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i;
/** npm takes what begins with a dot for a folder, and what ends like an archive for one. */
const NODE_VERSION = /^(?!\.)[\w.*^~<>=| +-]*$(?<!\.(?:tgz|tar|tar\.gz))/i;

export function nodeRequirements(text: string): WantedPackages {
  const wanted: WantedPackages = { requirements: new Map(), refused: oddities(text) };
  const all = Object.entries(declaredPackages(parseManifest(text)));
  for (const [name, version] of all.slice(0, REQUIREMENTS)) {
    const why = refusal(name, version);
    if (why === undefined) wanted.requirements.set(name, version);
    else wanted.refused.push(`${shown(`${name}@${version}`)}: refused, ${why}`);
  }
  return bounded(wanted, all.length - REQUIREMENTS, "package.json");
}

function refusal(name: string, version: string): string | undefined {
  if (OWN_NAME.test(name)) return "it has a name of the evaluator's own";
  if (version.startsWith("npm:")) return "it is another package under this name";
  if (NODE_NAME.test(name) && NODE_VERSION.test(version)) return undefined;
  return "package.json may only name packages and versions";
}

const SECTIONS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] as const;

/** What is asked for in another manner than by lists of names and versions at the top. */
function oddities(text: string): string[] {
  const manifest = objectIn(text);
  if (!manifest) return ["package.json: not read, it is no JSON object"];
  const unread = SECTIONS.filter((name) => {
    const listed = manifest[name];
    return (
      listed !== undefined && !Object.values(objectOf(listed) ?? { no: 1 }).every((one) => typeof one === "string")
    );
  });
  return [
    ...unread.map((name) => `${name} of package.json: not read, they are no list of names and versions`),
    ...(/"__proto__"\s*:/.test(text) ? ["__proto__: refused, it is no name of a package"] : []),
    // Only what the manifest at the top asks for is installed.
    ...(Object.hasOwn(manifest, "workspaces")
      ? ["workspaces: not installed, only what package.json at the top asks for is"]
      : []),
  ];
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const objectOf = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
