/** TOML: parsed. The parser stops at the first mistake. */
import type { Kind } from "../../language.ts";
import { createDataKind } from "./data-language.ts";
import { isTemplated } from "./templates.ts";

export const toml: Kind = createDataKind({
  name: "TOML",
  rule: "toml",
  // Those that tools write end in .lock.
  owns: (path) => /\.toml$|(?:^|\/)Pipfile$/.test(path),
  async problemsIn(text) {
    const { tomlProblem } = await import("./toml-text.ts");
    const problem = tomlProblem(text);
    return problem && !isTemplated(text) ? [problem] : [];
  },
});
