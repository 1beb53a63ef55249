/** TOML: parsed. The parser stops at the first mistake. */
import type { Language } from "../../language.ts";
import { createDataLanguage } from "./data-language.ts";
import { isTemplated } from "./templates.ts";

export const toml: Language = createDataLanguage({
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
