/** Changes passages of one file. */
import * as z from "zod";
import { decodeText, encodeText, linesOf } from "../core/text/file-text.ts";
import { pluralize } from "../core/text/format.ts";
import { looksElided } from "../core/turn/stale.ts";
import { applyEdits } from "./edits.ts";
import { absence, checkedPaths } from "./known-paths.ts";
import type { RawArguments } from "./lenient.ts";
import { syntaxAfter } from "./syntax-after.ts";
import { defineTool, refusal } from "./tool.ts";

const edit = z.strictObject({
  find: z
    .string()
    .min(1)
    .describe("the passage as it stands in the file, with its indentation; it must match exactly once"),
  replace: z.string().describe("what takes its place; empty removes the passage"),
});

export const editFile = defineTool({
  name: "edit_file",
  category: "write",
  description:
    "Replaces passages of a file. Each `find` is copied exactly from the file and long enough to match once. Edits are made in order, all or none. Answers with the syntax findings of the file.",
  schema: z.strictObject({ path: z.string(), edits: z.array(edit).min(1) }),
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

    const edited = edits.some(unusable) ? { problem: UNUSABLE } : applyEdits(text, edits);
    if ("problem" in edited) return refusal(`${path} is unchanged. ${edited.problem}`, path);
    const content = encodeText(edited.text);
    const problem = await bench.files.write(path, content);
    if (problem) return refusal(`${path} is unchanged. ${problem}`, path);
    const syntax = await syntaxAfter([path], bench);
    return {
      ok: true,
      text: `Edited ${path} (${pluralize(edits.length, "edit")}, now ${pluralize(linesOf(content), "line")}).\n${syntax.text}`,
      note: { subject: path, files: 1, finding: syntax.finding },
      about: { kind: "write", paths: [path] },
    };
  },
});

/** `{path, find, replace}` is a list of one edit. */
function oneEditAlone(given: RawArguments): RawArguments {
  const { find, replace, ...rest } = given;
  return "find" in given && !("edits" in given) ? { ...rest, edits: [{ find, replace }] } : given;
}

const unusable = ({ replace }: { replace: string }): boolean => looksElided(replace) || !replace.isWellFormed();
const UNUSABLE =
  "A `replace` holds the mark for contents left out, or half a character: read the file with read_files and write the text itself.";
