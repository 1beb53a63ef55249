/** Whether broken data breaks the project: where a tool or the project's own code reads it. Elsewhere it is advice. */
import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { MiB } from "../../../core/limits.ts";
import { sourceLanguageOf } from "../../../core/text/source-languages.ts";
import { isTestPath } from "../../../core/verdict/test-paths.ts";
import type { Tree } from "../../tree.ts";

/** Settings that a tool must be able to read. Those of editors and services are in folders that begin with a dot. */
const SETTING = new RegExp(
  `(?:^|/)(?:${[
    "(?:package|composer|biome|deno|turbo|nx|lerna|angular|vercel|firebase|app|manifest|renovate)\\.jsonc?",
    "[jt]sconfig[^/]*\\.json|[^/]+\\.webmanifest|\\.[^/]+",
    "(?:pyproject|Cargo|netlify|wrangler|fly|ruff|book|Pipfile)(?:\\.toml)?",
    "(?:docker-)?compose[^/]*\\.ya?ml",
    "(?:action|mkdocs|pubspec|serverless|template|Chart|kustomization|pnpm-workspace|openapi|swagger)\\.(?:ya?ml|json)",
  ].join("|")})$|(?:^|/)\\.[^/]+/`,
);
const PAGE = /\.(?:x?html?|css)$/;
/** What somebody else wrote, or will be filled in. */
const FOREIGN = /(?:^|\/)[_-]*(?:vendor(?:ed)?|third[-_]?party|templates?|layouts?|partials?|docs?|examples?)\//i;
const CODE_BYTES = 16 * MiB;

const isCode = (path: string): boolean =>
  /\.(?:vue|svelte|kts)$|(?:^|\/)(?:Makefile|Dockerfile)$/.test(path) ||
  (sourceLanguageOf(path) !== undefined && !/\.s?css$/.test(path));

export const isSetting = (path: string): boolean => SETTING.test(path);

/** True of a file whose mistakes block nothing. Code is read when it is first asked. */
export function createIsAdvice(tree: Tree): (path: string) => Promise<boolean> {
  const code = tree.files.filter(isCode);
  let text: Promise<string> | undefined;
  return async (path) => {
    if (isTestPath(path)) return true;
    if (isSetting(path) || code.every((other) => other === path)) return false;
    if (FOREIGN.test(path)) return true;
    if (PAGE.test(path)) return false;
    text ??= textOf(
      tree.folder,
      code.filter((other) => !isTestPath(other)),
    );
    return !isNamed(path, await text);
  };
}

/** By its name, or by what is enough to find it: its folder, or its name without the ending, as a word in quotes. */
function isNamed(path: string, code: string): boolean {
  const name = basename(path);
  const folder = basename(dirname(path));
  const stem = name.replace(/\.[^.]+$/, "");
  const words = folder === "." ? [stem] : [stem, folder];
  if (code.includes(name) || (folder !== "." && code.includes(`${folder}/`))) return true;
  return words.some((word) => ["'", '"', "`"].some((quote) => code.includes(`${quote}${word}${quote}`)));
}

async function textOf(folder: string, paths: string[]): Promise<string> {
  const texts: string[] = [];
  let left = CODE_BYTES;
  for (const path of paths) {
    left -= (await stat(join(folder, path))).size;
    if (left < 0) break;
    texts.push(await readFile(join(folder, path), "utf8"));
  }
  return texts.join("\n");
}
