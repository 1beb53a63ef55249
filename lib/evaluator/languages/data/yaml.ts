/** YAML: every document parsed, keys that stand twice and aliases of nothing found. Nothing is resolved or expanded. */
import { KiB, MiB } from "../../../core/limits.ts";
import type { Language } from "../../language.ts";
import { createDataLanguage } from "./data-language.ts";
import { isTemplated } from "./templates.ts";

export const yaml: Language = createDataLanguage({
  name: "YAML",
  rule: "yaml",
  owns: (path) => /\.ya?ml$|(?:^|\/)\.clang-format$/.test(path) && !/(?:^|\/)pnpm-lock\.ya?ml$/.test(path),
  // A MiB of brackets that close nothing takes its parser 7 s, and much else 2 s: a quarter of that at most.
  fileBytes: 256 * KiB,
  bytes: 2 * MiB,
  async problemsIn(text) {
    const { yamlProblems } = await import("./yaml-text.ts");
    const problems = yamlProblems(text);
    return problems.length > 0 && isTemplated(text) ? [] : problems;
  },
});
