/** Which packages a list of Python's may ask for. Pure. */
import { shown } from "../../packages/manifest-text.ts";
import { bounded, nameKey, OWN_NAME, REQUIREMENTS, type WantedPackages } from "../../packages/manifests.ts";

/**
 * A name, extras, versions, a condition. No address, no path, no option: those could fetch from anywhere. Printable
 * characters only, because pip ends lines where others do not; no variables, because pip puts the computer's own in.
 */
const PYTHON_REQUIREMENT =
  /^([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)[ \t]?(?:\[[\w ,.-]*\])?[ \t]?(?:\(?[~=!<>]={0,2}[ \t]?[\w.*+!-]+(?:[ \t]?,[ \t]?[~=!<>]={0,2}[ \t]?[\w.*+!-]+)*\)?)?[ \t]?(?:;[^\\$]*)?$/;
/** Runs of blanks say what one says: a pattern that takes any number of them, several times, takes cubic time. */
const withSingleBlanks = (line: string): string =>
  line.replaceAll(/[ \t]{2,}/g, (run) => (run.includes("\t") ? "\t" : " "));
const PLAIN_LINE = /^[ -~\t]*$/;
export function pythonRequirements(lines: string[], source: string): WantedPackages {
  const wanted: WantedPackages = { requirements: new Map(), refused: [] };
  const over: string[] = [];
  for (const line of lines.map(withoutComment).filter((text) => text !== "")) {
    const name = PLAIN_LINE.test(line) ? PYTHON_REQUIREMENT.exec(withSingleBlanks(line))?.[1] : undefined;
    if (name === undefined)
      wanted.refused.push(`${shown(line)}: refused, ${source} may only name packages and versions`);
    else if (OWN_NAME.test(name)) wanted.refused.push(`${shown(line)}: refused, it has a name of the evaluator's own`);
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

export function withoutComment(line: string): string {
  const at = line.search(/(?:^|\s)#/);
  return (at === -1 ? line : line.slice(0, at)).trim();
}
