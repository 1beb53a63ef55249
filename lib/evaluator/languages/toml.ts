/** TOML: parsed. The parser stops at the first mistake. */
import type { Kind } from "../kind.ts";
import { createDataKind } from "./data/data-kind.ts";
import { isTemplated } from "./data/templates.ts";

export const toml: Kind = createDataKind({
  name: "TOML",
  rule: "toml",
  // Those that tools write end in .lock.
  owns: (path) => /\.toml$|(?:^|\/)Pipfile$/.test(path),
  async problemsIn(text) {
    const { tomlProblem } = await import("./data/toml-text.ts");
    const problem = tomlProblem(text);
    return problem && !isTemplated(text) ? [problem] : [];
  },
});
