/** Changes passages of one file. */
import * as z from "zod";
import { decodeText, encodeText, linesOf } from "../core/text/file-text.ts";
import { pluralize } from "../core/text/format.ts";
import { looksElided } from "../core/turn/stale.ts";
import { applyEdits } from "./edits.ts";
import { absence, checkedPaths } from "./known-paths.ts";
import type { RawArguments } from "./lenient.ts";
import { optional } from "./shape.ts";
import { syntaxAfter } from "./syntax-after.ts";
import { defineTool, refusal } from "./tool.ts";

/** Far more than an answer holds. */
const EDITS_PER_CALL = 200;

const edit = z.strictObject({
  find: z
    .string()
    .min(1)
    .describe("the passage as it is in the file, with its indentation; without `all` it must match exactly once"),
  replace: z.string().describe("what takes its place; empty removes the passage"),
  all: optional(z.boolean().describe("true: replace every match")),
});

export const editFile = defineTool({
  name: "edit_file",
  category: "write",
  description:
    "Replaces passages of a file. Each `find` is copied exactly from the file and long enough to match once, unless `all` is set. Edits are made in order, all or none. Answers with the syntax findings of the file.",
  schema: z.strictObject({ path: z.string(), edits: z.array(edit).min(1).max(EDITS_PER_CALL) }),
  accept: oneEditAlone,
  async run({ path: raw, edits }, bench) {
    const checked = checkedPaths([raw]);
    if ("problem" in checked) return refusal(checked.problem);
    const [path = raw] = checked.paths;
    const bytes = await bench.files.read(path);
    if (!bytes) return refusal(await absence(path, bench), path);
    const text = decodeText(bytes);
    if (text === undefined)
      return refusal(`${path} is binary (${bytes.length} bytes): it cannot be edited as text.`, path);

    // A refusal shows lines of it, and the edit fits its text alone.
    await bench.noteSight({ kind: "files", paths: [path] });
    const edited = edits.some(unusable) ? { problem: UNUSABLE } : applyEdits(text, edits);
    if ("problem" in edited) return refusal(`${path} is unchanged. ${edited.problem}`, path);
    const content = encodeText(edited.text);
    const problem = await bench.files.write(path, content);
    if (problem) return refusal(`${path} is unchanged. ${problem}`, path);
    const syntax = await syntaxAfter([path], bench);
    return {
      ok: true,
      text: `Edited ${path} (${editsText(edits.length, edited.places)}, now ${pluralize(linesOf(content), "line")}).\n${syntax.text}`,
      note: { subject: path, files: 1, finding: syntax.finding },
      about: { kind: "write", paths: [path] },
    };
  },
});

const editsText = (edits: number, places: number): string =>
  places > edits ? `${pluralize(edits, "edit")}, ${pluralize(places, "place")}` : pluralize(edits, "edit");

/** `{path, find, replace}` is a list of one edit. */
function oneEditAlone(given: RawArguments): RawArguments {
  const { find, replace, all, ...rest } = given;
  const edit = { find, replace, ...(all === undefined ? {} : { all }) };
  return "find" in given && !("edits" in given) ? { ...rest, edits: [edit] } : given;
}

const unusable = ({ replace }: { replace: string }): boolean => looksElided(replace) || !replace.isWellFormed();
const UNUSABLE =
  "A `replace` holds the mark for contents left out, or half a character: read the file with read_files and write the text itself.";
