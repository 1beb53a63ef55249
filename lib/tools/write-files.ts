/** Writes whole files. */
import * as z from "zod";
import { PATHS_PER_TURN } from "../core/limits.ts";
import { foldPath } from "../core/text/file-path.ts";
import { encodeText, linesOf } from "../core/text/file-text.ts";
import { pluralize } from "../core/text/format.ts";
import { looksElided } from "../core/turn/stale.ts";
import type { Workbench } from "../core/turn/workbench.ts";
import { checkedPaths, filesNote } from "./known-paths.ts";
import { isGiven, type RawArguments, singular } from "./lenient.ts";
import { syntaxAfter } from "./syntax-after.ts";
import { defineTool, refusal } from "./tool.ts";

const file = z.strictObject({
  path: z.string().describe("relative, with / between folders: src/app.py"),
  content: z.string().describe("the whole text of the file"),
});

export const writeFiles = defineTool({
  name: "write_files",
  category: "write",
  description:
    "Creates files, or replaces existing ones, each with its whole content. Answers with the syntax findings of these files. To change a part of a file, use edit_file.",
  schema: z.strictObject({ files: z.array(file).min(1).max(PATHS_PER_TURN) }),
  accept: acceptOtherForms,
  async run({ files }, bench) {
    const contents = files.map(({ content }) => content);
    const checked = checkedPaths(files.map(({ path }) => path));
    const problem = "problem" in checked ? checked.problem : problemOfFiles(checked.paths, contents);
    if ("problem" in checked || problem) return refusal(`Nothing was written.\n${problem}`);

    const { written, problems } = await writeAll(checked.paths, contents, bench);
    if (written.length === 0) return refusal(`Nothing was written.\n${problems.join("\n")}`);
    const paths = written.map(({ path }) => path);
    const syntax = await syntaxAfter(paths, bench);
    const sentence = `Wrote ${written.map(({ path, lines }) => `${path} (${pluralize(lines, "line")})`).join(", ")}.`;
    return {
      ok: problems.length === 0,
      text: [sentence, ...problems.map((one) => `Not written: ${one}`), syntax.text].join("\n"),
      note: { ...filesNote(paths), finding: syntax.finding },
      about: { kind: "write", paths },
    };
  },
});

/** One file without its list, or contents by path. */
function acceptOtherForms(given: RawArguments): RawArguments {
  const { files, ...rest } = singular(given, "files", "path");
  return { ...rest, files: Array.isArray(files) ? files.flatMap(byPath).map(jsonContentAsText) : files };
}

/** `{"src/a.py": "…", "src/b.py": "…"}` holds one file for each key, where all keys look like files. */
function byPath(item: unknown): unknown[] {
  const entries = isGiven(item) ? Object.entries(item) : [];
  const isByPath = entries.every(([key, value]) => /[./]/.test(key) && typeof value === "string");
  return isByPath && entries.length > 0 ? entries.map(([path, content]) => ({ path, content })) : [item];
}

/** A .json file whose content was written as an object instead of as text. */
function jsonContentAsText(item: unknown): unknown {
  if (!isGiven(item) || typeof item.path !== "string" || !item.path.endsWith(".json")) return item;
  return isGiven(item.content) ? { ...item, content: `${JSON.stringify(item.content, null, 2)}\n` } : item;
}

function problemOfFiles(paths: string[], contents: string[]): string | undefined {
  const problems = paths.flatMap((path, index) => {
    const content = contents[index] ?? "";
    const twice = paths.findIndex((other) => foldPath(other) === foldPath(path)) < index;
    if (twice) return [`${path} is there twice: give each file once.`];
    if (looksElided(content))
      return [
        `${path}: this is the mark for contents left out. Read the file with read_files, then edit_file changes a part of it.`,
      ];
    return content.isWellFormed() ? [] : [`${path}: the content holds half a character (an unpaired surrogate).`];
  });
  return problems.length > 0 ? problems.join("\n") : undefined;
}

async function writeAll(paths: string[], contents: string[], bench: Workbench) {
  const written: { path: string; lines: number }[] = [];
  const problems: string[] = [];
  for (const [index, path] of paths.entries()) {
    const bytes = encodeText(contents[index] ?? "");
    const problem = await bench.files.write(path, bytes);
    if (problem) problems.push(problem);
    else written.push({ path, lines: linesOf(bytes) });
  }
  return { written, problems };
}
