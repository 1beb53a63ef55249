/** TOML: parsed. The parser stops at the first mistake. */
import { parse, TomlError } from "smol-toml";
import type { Kind } from "../kind.ts";
import { createDataKind, type Problem } from "./data/data-kind.ts";
import { isTemplated } from "./data/templates.ts";

export const toml: Kind = createDataKind({
  name: "TOML",
  rule: "toml",
  // Those that tools write end in .lock.
  owns: (path) => /\.toml$|(?:^|\/)Pipfile$/.test(path),
  problemsIn(text) {
    const problem = problemOf(text);
    return problem && !isTemplated(text) ? [problem] : [];
  },
});

function problemOf(text: string): Problem | undefined {
  try {
    parse(text);
    return undefined;
  } catch (problem) {
    if (!(problem instanceof TomlError)) throw problem;
    const { line, column, message } = problem;
    const [said = ""] = message.replace(/^Invalid TOML document: /, "").split("\n");
    return { line, column, message: said };
  }
}
