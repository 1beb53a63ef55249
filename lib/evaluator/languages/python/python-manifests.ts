/** What a Python project asks to have installed: its pyproject.toml, its lists of requirements, and those they name. */
import { posix } from "node:path";
import { readManifestText, shown } from "../../packages/manifest-text.ts";
import type { WantedPackages } from "../../packages/manifests.ts";
import { projectRequirements } from "./python-project.ts";
import { pythonRequirements, requirementLines, withoutComment } from "./python-requirements.ts";

/** The files in which people list what tests need are read too. */
const LISTS = ["requirements.txt", "requirements-dev.txt", "requirements-test.txt", "dev-requirements.txt"];
/** Lists that name lists that name lists. */
const FILES = 20;

export async function pythonWanted(folder: string): Promise<WantedPackages> {
  const wanted: WantedPackages = { requirements: new Map(), refused: [] };
  const take = (more: WantedPackages): void => {
    for (const [name, requirement] of more.requirements) wanted.requirements.set(name, requirement);
    wanted.refused.push(...more.refused);
  };
  const project = await readManifestText(folder, "pyproject.toml");
  wanted.refused.push(...project.refused);
  if (project.text !== undefined) {
    const parsed = projectRequirements(project.text);
    if ("problem" in parsed) wanted.refused.push(`pyproject.toml: not read, ${parsed.problem}`);
    else take(pythonRequirements(parsed.lines, "pyproject.toml"));
  }
  for await (const { name, lines, refused } of listsOf(folder)) {
    wanted.refused.push(...refused);
    take(pythonRequirements(lines, shown(name)));
  }
  return wanted;
}

interface List {
  name: string;
  lines: string[];
  refused: string[];
}

/** Each list once; `-r other.txt` is followed where it stays in the project, else it is a line like any other. */
async function* listsOf(folder: string): AsyncGenerator<List> {
  const names = [...LISTS];
  for (let at = 0; at < Math.min(names.length, FILES); at += 1) {
    const name = names[at] ?? "";
    const { text, refused } = await readManifestText(folder, name);
    const lines: string[] = [];
    for (const line of text === undefined ? [] : requirementLines(text)) {
      const other = otherList(name, withoutComment(line));
      if (other === undefined) lines.push(line);
      else if (!names.includes(other)) names.push(other);
    }
    const isAbsent = text === undefined && refused.length === 0 && at >= LISTS.length;
    yield { name, lines, refused: isAbsent ? [`-r ${shown(name)}: refused, the project has no such list`] : refused };
  }
}

function otherList(from: string, line: string): string | undefined {
  const named = /^(?:-r|--requirement)[ \t=]*([\w./-]+)$/.exec(line)?.[1];
  if (named === undefined || named.startsWith("/")) return undefined;
  const path = posix.join(posix.dirname(from), named);
  return path.startsWith("..") ? undefined : path;
}
