/** The pages of the documentation: the README and everything in docs/. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

export interface Page {
  /** From the top folder. */
  path: string;
  text: string;
}

export const pages: Page[] = ["README.md", ...readdirSync(join(ROOT, "docs"), { recursive: true })]
  .map((name) => (name === "README.md" ? name : `docs/${String(name).replaceAll("\\", "/")}`))
  .filter((path) => path.endsWith(".md"))
  .concat("docs/README.md")
  .filter((path, index, all) => all.indexOf(path) === index)
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));

/** The code blocks of a page in one language, with the line at which each begins. */
export function blocksOf({ text }: Page, language: string): { line: number; code: string }[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map((match) => ({
    line: text.slice(0, match.index).split("\n").length + 1,
    code: match[1] ?? "",
  }));
}
