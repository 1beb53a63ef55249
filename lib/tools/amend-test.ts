/** Says that an accepted test is going to be changed on purpose, and why. */
import * as z from "zod";
import { AMENDMENT_CHARS, reasonOf } from "../core/verdict/amendment.ts";
import { checkedPaths } from "./known-paths.ts";
import { type RawArguments, renamed } from "./lenient.ts";
import { defineTool, refusal } from "./tool.ts";

export const amendTest = defineTool({
  name: "amend_test",
  category: "amend",
  description:
    "Tests of accepted instructions are locked: a change that weakens one is refused. Where the task itself asks for other behaviour than such a test holds, this allows this instruction to change it. Path and reason stand in the run's report.",
  schema: z.strictObject({
    path: z.string().describe("the test file, or the file with the tests' settings"),
    reason: z.string().describe("why the test is wrong now, in a sentence"),
  }),
  accept: (given) => renamed(renamed(onePath(given), "file", "path"), "why", "reason"),
  async run({ path: raw, reason: given }, bench) {
    const checked = checkedPaths([raw]);
    if ("problem" in checked) return refusal(checked.problem);
    const [path = raw] = checked.paths;
    const reason = reasonOf(given);
    if (reason === "") return refusal(`${path} was not amended: the reason is empty. ${SAY_WHY}`, path);
    const problem = await bench.amend({ path, reason });
    if (problem !== undefined) return refusal(problem, path);
    return {
      ok: true,
      text: `${path} may be changed until this instruction is accepted. The report says why: ${reason}`,
      note: { finding: `amended ${path}: ${reason}` },
    };
  },
});

const SAY_WHY = `Say in a sentence, of at most ${AMENDMENT_CHARS} characters, why the test is wrong now.`;

/** A list of one path. */
function onePath(given: RawArguments): RawArguments {
  const { paths, ...rest } = given;
  return Array.isArray(paths) && paths.length === 1 && !("path" in given) ? { ...rest, path: paths[0] } : given;
}
