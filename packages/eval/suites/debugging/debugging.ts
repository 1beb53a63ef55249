/** Debugging: Python programs with a defect in one line, in the manner of QuixBugs. */
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { projectFile } from "../../../../lib/files/project-files.ts";
import type { EvalCase, Suite } from "../../suite.ts";
import { FUNCTION_FORGERIES, HANGING_FUNCTION } from "../forged-functions.ts";

const FOLDER = "packages/eval/data/debugging";

export const debugging: Suite = {
  name: "debugging",
  about: "Python programs with a defect in one line",
  source: "of this project, in the manner of QuixBugs",
  checker: { program: "python3", script: "calls.py" },
  domain: "codebase",
  load: async () =>
    readdirSync(projectFile(FOLDER))
      .sort()
      .map((file) => caseOf(basename(file, ".py"), readFileSync(projectFile(`${FOLDER}/${file}`), "utf8"))),
};

/** In each file the defect is a comment behind the line that it replaces, and the checks are comments at the end. */
function caseOf(name: string, text: string): EvalCase {
  const lines = text.split("\n");
  const cases = lines.flatMap((line) => (line.startsWith(CASE) ? line.slice(CASE.length) : []));
  const source = lines.filter((line) => !line.startsWith(CASE));
  const about = lines[0]?.replaceAll('"""', "") ?? "";
  const solution = (pick: (line: string, broken: string) => string): { "solution.py": string } => ({
    "solution.py": `${source
      .map((line) => picked(line, pick))
      .join("\n")
      .trimEnd()}\n`,
  });
  return {
    id: name,
    task: `The function \`${name}\` in solution.py has a defect. What it is to do: ${about} Find the defect and correct it; keep the name of the file and of the function. Use only the standard library of Python 3.`,
    given: solution((line, broken) => `${indentOf(line)}${broken}`),
    spec: { entry: name, cases, cpu: 1 },
    seconds: 30,
    oracle: solution((line) => line),
    stub: { "solution.py": `def ${name}(*values):\n    return None\n` },
    forgeries: FUNCTION_FORGERIES.map((body) => ({ "solution.py": body.replaceAll("FUNCTION", name) })),
    hanging: { "solution.py": HANGING_FUNCTION.replaceAll("FUNCTION", name) },
  };
}

const CASE = "# case: ";
const BROKEN = "  # broken: ";

function picked(text: string, pick: (line: string, broken: string) => string): string {
  const [line = "", broken] = text.split(BROKEN);
  return broken === undefined ? text : pick(line, broken);
}

const indentOf = (line: string): string => line.slice(0, line.length - line.trimStart().length);
