/** Which packages a list of Python's may ask for. Pure. */
import { shown } from "../../packages/manifest-text.ts";
import { bounded, nameKey, OWN_NAME, REQUIREMENTS, type WantedPackages } from "../../packages/manifests.ts";
import { parseRequirement } from "./requirement.ts";

export function pythonRequirements(lines: string[], source: string): WantedPackages {
  const wanted: WantedPackages = { requirements: new Map(), refused: [] };
  const over: string[] = [];
  for (const line of lines.map(withoutComment).filter((text) => text !== "")) {
    const found = parseRequirement(line);
    if (!found) wanted.refused.push(`${shown(line)}: refused, ${source} may only name packages and versions`);
    else if (OWN_NAME.test(found.name))
      wanted.refused.push(`${shown(line)}: refused, it has a name of the evaluator's own`);
    else if (wanted.requirements.size < REQUIREMENTS) wanted.requirements.set(nameKey(found.name), found.text);
    else over.push(found.name);
  }
  return bounded(wanted, over.length, source);
}

/** Lines of a requirements file; a backslash at the end joins the next one, and hashes say nothing about what to have. */
export const requirementLines = (text: string): string[] =>
  text
    .replaceAll(/\\\r?\n/g, " ")
    .split(/\r\n?|\n/)
    .map((line) => line.replaceAll(/\s--hash=\S+/g, ""));

export function withoutComment(line: string): string {
  const at = line.search(/(?:^|\s)#/);
  return (at === -1 ? line : line.slice(0, at)).trim();
}
