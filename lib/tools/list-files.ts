/** Lists files, page by page. */
import * as z from "zod";
import { countFitting } from "../core/text/cut.ts";
import { pluralize } from "../core/text/format.ts";
import type { ListedFile } from "../core/turn/workbench.ts";
import { checkedPaths, checkedPrefix } from "./known-paths.ts";
import { optional } from "./shape.ts";
import { defineTool, refusal } from "./tool.ts";

/** Of one page, whatever the room. */
const FILES_PER_PAGE = 500;
/** The shortest line of a listing. */
const LINE_CHARS = 25;
/** For the first and the last sentence. */
const AROUND_CHARS = 200;

export const listFiles = defineTool({
  name: "list_files",
  category: "read",
  description: "Lists the files with their bytes, lines and the instruction that last wrote them, in order of path.",
  schema: z.strictObject({
    prefix: optional(z.string().describe("only paths that begin with this, such as src/")),
    cursor: optional(z.string().describe("as the page before gave it, for the next page")),
  }),
  async run({ prefix, cursor }, bench) {
    const within = checkedPrefix(prefix);
    if ("problem" in within) return refusal(within.problem);
    const after = cursor ? checkedPaths([cursor]) : { paths: [] };
    if ("problem" in after) return refusal(`That is no cursor: ${after.problem}`);

    const most = Math.min(FILES_PER_PAGE, Math.max(1, Math.floor((bench.answerChars - AROUND_CHARS) / LINE_CHARS)));
    const [last] = after.paths;
    const range = { ...within, ...(last !== undefined && { after: last }), limit: most + 1 };
    const found = await bench.files.list(range);
    await bench.noteSight({ kind: "list", ...range, files: found });
    const page = found.slice(0, countFitting(found.slice(0, most).map(lineOf), bench.answerChars - AROUND_CHARS));
    const where = within.prefix ? ` that begin with ${within.prefix}` : "";
    if (page.length === 0)
      return { ok: true, text: `There are no ${last ? "more " : ""}files${where}.`, note: { subject: "0 files" } };
    const more =
      page.length < found.length ? [`There are more files: the cursor of the next page is ${page.at(-1)?.path}`] : [];
    return {
      ok: true,
      text: [...page.map(lineOf), ...more].join("\n"),
      note: { subject: pluralize(page.length, "file") },
    };
  },
});

const lineOf = ({ path, bytes, lines, instruction }: ListedFile): string =>
  `${path} (${pluralize(bytes, "byte")}, ${pluralize(lines, "line")}, ${instruction === 0 ? "there from the start" : `instruction ${instruction}`})`;
