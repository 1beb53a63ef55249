/** Checks syntax and runs the tests. */
import * as z from "zod";
import type { Workbench } from "../core/turn/workbench.ts";
import { feedbackOf } from "../core/verdict/feedback.ts";
import { noteOf } from "../core/verdict/verdict-words.ts";
import { absence, checkedPaths } from "./known-paths.ts";
import { renamed } from "./lenient.ts";
import { optional } from "./shape.ts";
import { defineTool, refusal } from "./tool.ts";

export const runChecks = defineTool({
  name: "run_checks",
  category: "check",
  description:
    "Checks the syntax and runs the tests: of the files and folders given in `paths`, or else of all that has changed " +
    "since the last such check, with all that depends on it and all that failed. It says how much that was. " +
    "complete_instruction checks everything.",
  schema: z.strictObject({ paths: optional(z.array(z.string())) }),
  accept: (given) => renamed(renamed(given, "path", "paths"), "files", "paths"),
  async run({ paths: raw = [] }, bench) {
    const checked = checkedPaths(
      raw.map((path) => path.replace(/(?!^)(?<!(?!^)\/)\/+$/, "")).filter((path) => path !== "."),
    );
    if ("problem" in checked) return refusal(checked.problem);
    const absent = await absentOf(checked.paths, bench);
    if (absent.length > 0) return refusal(`Nothing was checked.\n${absent.join("\n")}`);

    const { paths } = checked;
    const verdict = await bench.check(
      paths.length > 0 ? { syntax: { paths }, tests: { paths } } : { syntax: {}, tests: {}, incremental: true },
    );
    return {
      ok: true,
      text: feedbackOf(verdict, bench.answerChars),
      note: { finding: noteOf(verdict) },
      about: { kind: "verdict" },
    };
  },
});

/** A path that sorts first among those that begin with it is a file; a folder has files in it. */
async function absentOf(paths: string[], bench: Workbench): Promise<string[]> {
  const absent: string[] = [];
  for (const path of paths) {
    const [first] = await bench.files.list({ prefix: path, limit: 1 });
    const [inFolder] = first?.path === path ? [first] : await bench.files.list({ prefix: `${path}/`, limit: 1 });
    if (!inFolder) absent.push(await absence(path, bench));
  }
  return absent;
}
