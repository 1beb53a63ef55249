/** Which packages a manifest may ask for: names and versions pass, nothing that fetches from elsewhere. Pure. */
import { declaredPackages, parseManifest } from "../languages/javascript/manifest.ts";
import { shown } from "./manifest-text.ts";

/** Packages by name, each with the requirement as its installer wants it. */
export type Requirements = Map<string, string>;

export interface WantedPackages {
  requirements: Requirements;
  /** What is not installed, each with the reason. */
  refused: string[];
}

/** Packages of one manifest at most. */
const REQUIREMENTS = 300;
/** Refusals reported for one manifest. */
const REFUSED = 20;

/**
 * A name, extras, versions, a condition. No address, no path, no option: those could fetch from anywhere. Printable
 * characters only, because pip ends lines where others do not; no variables, because pip puts the computer's own in.
 */
const PYTHON_REQUIREMENT =
  /^([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)[ \t]*(?:\[[\w ,.-]*\])?[ \t]*(?:\(?(?:[~=!<>]=?=?)[ \t]*[\w.*+!-]+(?:[ \t]*,[ \t]*[~=!<>]=?=?[ \t]*[\w.*+!-]+)*\)?)?[ \t]*(?:;[^\\$]*)?$/;
const PLAIN_LINE = /^[ -~\t]*$/;
/** Names that programs of the evaluator go by. */
const OWN = /^l2mac(?:[-_.]|$)/i;

export function pythonRequirements(lines: string[], source: string): WantedPackages {
  const wanted: WantedPackages = { requirements: new Map(), refused: [] };
  const over: string[] = [];
  for (const line of lines.map(withoutComment).filter((text) => text !== "")) {
    const name = PLAIN_LINE.test(line) ? PYTHON_REQUIREMENT.exec(line)?.[1] : undefined;
    if (name === undefined)
      wanted.refused.push(`${shown(line)}: refused, ${source} may only name packages and versions`);
    else if (OWN.test(name)) wanted.refused.push(`${shown(line)}: refused, it has a name of the evaluator's own`);
    else if (wanted.requirements.size < REQUIREMENTS) wanted.requirements.set(nameKey(name), line);
    else over.push(name);
  }
  return bounded(wanted, over.length, source);
}

/** Lines of a requirements file; a backslash at the end joins the next one, and hashes say nothing about what to have. */
export const requirementLines = (text: string): string[] =>
  text
    .replaceAll(/\\\r?\n/g, " ")
    .split(/\r\n?|\n/)
    .map((line) => line.replaceAll(/\s--hash=\S+/g, ""));

export const withoutComment = (line: string): string => line.replace(/(?:^|\s)#.*$/, "").trim();

/** Names of Python packages are equal without case and with any separator. */
export const nameKey = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, "-");

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
  if (OWN.test(name)) return "it has a name of the evaluator's own";
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

function bounded({ requirements, refused }: WantedPackages, over: number, source: string): WantedPackages {
  const more = refused.length - REFUSED;
  return {
    requirements,
    refused: [
      ...refused.slice(0, REFUSED),
      ...(more > 0 ? [`${more} more lines of ${source}: refused`] : []),
      ...(over > 0
        ? [`${over} more packages of ${source}: not installed, for there are more than ${REQUIREMENTS}`]
        : []),
    ],
  };
}
