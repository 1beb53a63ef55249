/** CSS: parsed as browsers do, but for what they would pass over. Properties and values are not judged. */
import { CssSyntaxError, parse } from "postcss";
import { KiB } from "../../../lib/core/limits.ts";
import type { Kind } from "../kind.ts";
import { createDataKind, type Problem } from "./data/data-kind.ts";
import { hasDirectives, withoutValues } from "./data/templates.ts";

export const css: Kind = createDataKind({
  name: "CSS",
  rule: "css",
  owns: (path) => path.endsWith(".css"),
  // A MiB of blocks that never end takes its parser up to 4 s.
  fileBytes: 512 * KiB,
  problemsIn(text) {
    if (hasDirectives(text)) return [];
    const problem = problemOf(withoutValues(text));
    return problem ? [problem] : [];
  },
});

function problemOf(text: string): Problem | undefined {
  try {
    parse(text);
    return undefined;
  } catch (problem) {
    if (!(problem instanceof CssSyntaxError)) throw problem;
    return { line: problem.line ?? 1, column: problem.column ?? 1, message: problem.reason };
  }
}
