/** QuixBugs: its Python programs with a defect in one line, from a checkout of the user, with the project's own tests. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { UserError } from "../../../../lib/core/errors.ts";
import type { Json } from "../../../../lib/core/text/json.ts";
import type { EvalCase, Files, Suite } from "../../suite.ts";
import { FUNCTION_FORGERIES, HANGING_FUNCTION } from "../forged-functions.ts";

export const quixbugs: Suite = {
  name: "quixbugs",
  about: "the Python programs of QuixBugs whose tests are data",
  source: "of a checkout of jkoppel/QuixBugs, MIT licence",
  checker: { program: "python3", script: "calls.py" },
  domain: "codebase",
  takesExercises: true,
  async load({ exercises }) {
    const tests = join(exercises ?? "", "json_testcases");
    if (exercises === undefined || !existsSync(tests)) throw noCheckout(exercises);
    const names = readdirSync(tests)
      .filter((file) => file.endsWith(".json"))
      .map((file) => basename(file, ".json"))
      .filter((name) => /^\w+$/.test(name) && !GENERATORS.includes(name));
    return names.sort().map((name) => caseOf(exercises, name));
  },
};

/** They yield, and the checker calls functions that return. */
const GENERATORS = ["flatten", "kheapsort"];

/** The project's own tests leave them out too: the corrected program takes minutes. */
const TOO_SLOW: Readonly<Record<string, (values: Json[]) => boolean>> = {
  knapsack: ([capacity]) => Number(capacity) > 1_000_000,
  levenshtein: ([, text]) => String(text).length > 40,
};

const noCheckout = (folder: string | undefined): UserError =>
  new UserError(
    `${folder === undefined ? "No checkout of QuixBugs is given" : `${folder} is no checkout of QuixBugs`}. Nothing was computed or paid.`,
    {
      exitCode: 2,
      remedy: "Clone https://github.com/jkoppel/QuixBugs, and give its folder with --exercises.",
    },
  );

function caseOf(folder: string, name: string): EvalCase {
  const read = (path: string): string => readFileSync(join(folder, path), "utf8");
  const solution = (text: string): Files => ({ "solution.py": text });
  const isSlow = TOO_SLOW[name] ?? (() => false);
  const tests = linesIn(read(`json_testcases/${name}.json`)).filter((line) => !isSlow(valuesIn(line)));
  return {
    id: name,
    task: `The function \`${name}\` in solution.py has a defect in one line. The text at the end of the file says what it is to do. Find the defect and correct it; keep the name of the file and of the function. Use only the standard library of Python 3.`,
    given: solution(read(`python_programs/${name}.py`)),
    spec: { entry: name, prompt: "", test: testOf(tests), cpu: 3 },
    seconds: 30,
    oracle: solution(read(`correct_python_programs/${name}.py`)),
    stub: solution(`def ${name}(*values):\n    return None\n`),
    forgeries: FUNCTION_FORGERIES.map((body) => solution(body.replaceAll("FUNCTION", name))),
    hanging: solution(HANGING_FUNCTION.replaceAll("FUNCTION", name)),
  };
}

/** A line has the arguments and what must be returned. It stays as it is: a number with a point is another one in Python. */
const linesIn = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

function valuesIn(line: string): Json[] {
  const [values] = JSON.parse(line);
  return Array.isArray(values) ? values : [values];
}

/** JSON in JSON is a literal of Python. Square roots are as exact as their last argument asks; a tuple is as good as a list. */
const testOf = (lines: string[]): string => `import json

def same(found, expected, near):
    if isinstance(expected, list):
        return isinstance(found, (list, tuple)) and len(found) == len(expected) and all(
            same(one, other, near) for one, other in zip(found, expected)
        )
    if isinstance(expected, float) and not isinstance(found, bool) and isinstance(found, (int, float)):
        return abs(found - expected) <= near
    return found == expected and isinstance(found, bool) == isinstance(expected, bool)

def check(candidate):
    for values, expected in json.loads(${JSON.stringify(`[${lines.join(",")}]`)}):
        values = values if isinstance(values, list) else [values]
        near = values[-1] if isinstance(expected, float) and isinstance(values[-1], float) else 1e-9
        assert same(candidate(*values), expected, near), values
`;
