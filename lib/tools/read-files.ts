/** Reads files, or ranges of their lines. */
import * as z from "zod";
import { charsOf, type FileView, type LineRange, shownView, viewOf } from "./file-view.ts";
import { absence, checkedPaths, filesNote } from "./known-paths.ts";
import { type RawArguments, renamed, singular, textItems } from "./lenient.ts";
import { optional } from "./shape.ts";
import { sharesOf } from "./shares.ts";
import { defineTool, refusal } from "./tool.ts";

/** More would leave each of them a few lines. */
const FILES_PER_CALL = 30;

const line = z.int().min(1);
const file = z.strictObject({
  path: z.string(),
  from_line: optional(line.describe("first line, counted from 1; default 1")),
  to_line: optional(line.describe("last line; default the end")),
});

export const readFiles = defineTool({
  name: "read_files",
  category: "read",
  description:
    "Shows files, whole or from line to line. The room of one answer is shared by the files asked for; what is left out is named, with the line to read on from.",
  schema: z.strictObject({ files: z.array(file).min(1).max(FILES_PER_CALL) }),
  accept: acceptPaths,
  async run({ files }, bench) {
    const checked = checkedPaths(files.map(({ path }) => path));
    if ("problem" in checked) return refusal(checked.problem);
    const contents = await Promise.all(checked.paths.map((path) => bench.files.read(path)));
    await bench.noteSight({ kind: "files", paths: checked.paths });
    const seen = await Promise.all(
      checked.paths.map((path, index) => {
        const bytes = contents[index];
        return bytes ? viewOf(rangeOf(path, files[index] ?? {}), bytes) : absence(path, bench);
      }),
    );
    const present = checked.paths.filter((_, index) => contents[index]);
    return {
      ok: present.length > 0,
      text: shown(seen, bench.answerChars),
      note: filesNote(checked.paths),
      about: { kind: "view", paths: [...new Set(present)] },
    };
  },
});

/** A path alone, paths instead of objects, one object instead of a list. */
function acceptPaths(given: RawArguments): RawArguments {
  const { files, ...rest } = singular(renamed(given, "paths", "files"), "files", "path");
  return { ...rest, files: textItems(files, (path) => ({ path })) };
}

const rangeOf = (path: string, range: { from_line?: number | undefined; to_line?: number | undefined }): LineRange => ({
  path,
  from: range.from_line ?? 1,
  to: range.to_line ?? Number.POSITIVE_INFINITY,
});

function shown(seen: (FileView | string)[], chars: number): string {
  const shares = sharesOf(
    seen.map((one) => (typeof one === "string" ? one.length : charsOf(one))),
    chars,
  );
  return seen.map((one, index) => (typeof one === "string" ? one : shownView(one, shares[index] ?? 0))).join("\n\n");
}
