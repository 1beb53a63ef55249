/** HTML: tags that do not fit together, and what is left open. Missing doctypes, fragments and templates are no mistakes. */
import type { Language } from "../../language.ts";
import { createDataLanguage } from "./data-language.ts";
import { inlineScripts } from "./inline-scripts.ts";
import { hasDirectives, withoutValues } from "./templates.ts";

export const html: Language = createDataLanguage({
  name: "HTML",
  rule: "html",
  owns: (path) => /\.x?html?$/.test(path),
  declaresEncoding: true,
  // Branches of a template open and close what they like.
  async problemsIn(text) {
    if (hasDirectives(text)) return [];
    const { tagProblems } = await import("./html-tags.ts");
    return tagProblems(withoutValues(text));
  },
  also: (files, workspace) =>
    inlineScripts(
      files.filter(({ text }) => !hasDirectives(text)),
      workspace,
    ),
});
