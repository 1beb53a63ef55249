/** CSS: parsed as browsers do, but for what they would pass over. Properties and values are not judged. */
import { KiB } from "../../../core/limits.ts";
import type { Language } from "../../language.ts";
import { createDataLanguage } from "./data-language.ts";
import { hasDirectives, withoutValues } from "./templates.ts";

export const css: Language = createDataLanguage({
  name: "CSS",
  rule: "css",
  owns: (path) => path.endsWith(".css"),
  // A MiB of blocks that never end takes its parser up to 4 s.
  fileBytes: 512 * KiB,
  async problemsIn(text) {
    if (hasDirectives(text)) return [];
    const { cssProblem } = await import("./css-text.ts");
    const problem = cssProblem(withoutValues(text));
    return problem ? [problem] : [];
  },
});
