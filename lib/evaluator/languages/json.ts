/** JSON: as strict as its readers are. Settings whose tools allow comments may have them; JSON lines are read line by line. */
import type { Asked, Kind } from "../kind.ts";
import { createDataKind, type Problem } from "./data/data-kind.ts";
import { firstProblem, type JsonStyle } from "./data/json-text.ts";
import { placeAt } from "./data/place-at.ts";
import { isTemplated } from "./data/templates.ts";
import { javascript } from "./javascript.ts";

const OWN =
  /\.(?:json|jsonc|ipynb|jsonl|ndjson|webmanifest|geojson|code-workspace)$|(?:^|\/)\.(?:eslintrc|babelrc|swcrc|prettierrc)$/;
/** Written by tools, and large. */
const LOCK_FILE = /(?:^|\/)(?:package-lock|npm-shrinkwrap|composer\.lock|packages\.lock|deno\.lock)\.json$/;
/** Settings that their tools read with comments and commas at the end. */
const RELAXED =
  /\.(?:jsonc|code-workspace)$|(?:^|\/)\.vscode\/|(?:^|\/)(?:[tj]sconfig[^/]*|\.?devcontainer|\.eslintrc|\.babelrc|babel\.config|\.swcrc|biome|deno|tslint|turbo|nx|project|angular|cspell|api-extractor|typedoc|rush|wrangler|renovate|\.oxlintrc|\.jshintrc|appsettings[^/]*|launchSettings|language-configuration)(?:\.json)?$/;
/** May be YAML as well. */
const EITHER = /(?:^|\/)\.(?:prettierrc|eslintrc)$/;
const BY_LINE = /\.(?:jsonl|ndjson)$/;

export const json: Kind = createDataKind({
  name: "JSON",
  rule: "json",
  owns: (path) => OWN.test(path) && !LOCK_FILE.test(path),
  problemsIn(text, path) {
    if (EITHER.test(path) && !/^\s*[[{/]/.test(text)) return [];
    if (BY_LINE.test(path)) return problemsByLine(text);
    const problem = problemOf(text, { relaxed: RELAXED.test(path) });
    return problem && !isTemplate(text) ? [problem] : [];
  },
  reportedElsewhere: (path, { tree, paths }: Asked) =>
    path === "package.json" && [...tree.files, ...(paths ?? [])].some(javascript.owns),
});

/** Braces that open twice are no JSON, and mostly no template either: `{{"a": 1}}` is a mistake. */
const isTemplate = (text: string): boolean => isTemplated(text) && /\{%|<%|\{\{[-~]?\s*[\w.$#/(]|\$\{\w+\}/.test(text);

function problemOf(text: string, style: JsonStyle): Problem | undefined {
  const problem = firstProblem(text, style);
  return problem && { ...placeAt(text, problem.offset), message: problem.message };
}

function problemsByLine(text: string): Problem[] {
  return text.split("\n").flatMap((line, at) => {
    const problem = line.trim() === "" ? undefined : problemOf(line, {});
    return problem ? [{ ...problem, line: at + 1 }] : [];
  });
}
