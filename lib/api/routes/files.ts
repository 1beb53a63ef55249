/** `GET /runs/{id}/files`: the files of a run, now or at an earlier instruction. */
import * as z from "zod";
import { PATH_BYTES } from "../../core/limits.ts";
import { packInstead, type Run } from "../../core/run/run.ts";
import { badCursor, fromCursor, toCursor } from "../../core/store/cursor.ts";
import { foldPath } from "../../core/text/file-path.ts";
import { byteLength } from "../../core/text/file-text.ts";
import { type File, FilePage } from "../answers.ts";
import { At, treeAt } from "../at.ts";
import { asFieldError, badField } from "../problem.ts";
import { type RouteCall, route } from "../route.ts";
import { ownRun } from "../run-view.ts";

const Query = z.strictObject({
  prefix: z.string().max(PATH_BYTES).default("").describe("The start of the paths, in upper or lower case."),
  at: At.optional().describe(
    "`3`: as instruction 3 left them; `3.2`: after its second turn. Absent: the current files.",
  ),
  cursor: z.string().min(1).max(4_000).optional(),
  limit: z.int().min(1).max(1_000).default(200),
});

export const files = route({
  name: "listFiles",
  description: "Lists files by path. The last writer is known of the current files only.",
  query: Query,
  answers: { 200: { description: "A page.", schema: FilePage } },
  problems: [400, 403, 404],
  async handle(call) {
    const run = await ownRun(call);
    const { limit } = call.query;
    const found = await filesAfter(call, run);
    const files = found.slice(0, limit);
    const last = files.at(-1);
    const cursor = last && found.length > limit ? { cursor: toCursor([foldPath(last.path)]) } : {};
    return { status: 200, json: { files, ...cursor } };
  },
});

/** One more than requested, to know whether others follow. */
async function filesAfter({ parts, query }: RouteCall<z.infer<typeof Query>>, run: Run): Promise<File[]> {
  const prefix = foldPath(query.prefix);
  if (!isKeyPart(prefix)) throw badField("prefix", "It is too long, or holds half a character.");
  const after =
    query.cursor === undefined ? undefined : await asFieldError("cursor", () => positionIn(query.cursor ?? ""));
  const limit = query.limit + 1;
  const at = query.at ?? packInstead(run)?.toString();
  if (at === undefined) {
    return parts.registry.files(run.id, { prefix, limit, ...(after === undefined ? {} : { after }) });
  }
  const tree = await treeAt(parts, run, at);
  return tree.files
    .map((file) => ({ ...file, folded: foldPath(file.path) }))
    .filter(({ folded }) => folded.startsWith(prefix) && (after === undefined || folded > after))
    .sort((a, b) => (a.folded < b.folded ? -1 : 1))
    .slice(0, limit)
    .map(({ path, bytes }) => ({ path, bytes }));
}

function positionIn(cursor: string): string {
  const [folded = ""] = fromCursor(cursor, 1);
  if (!isKeyPart(folded)) throw badCursor();
  return folded;
}

/** Whether a key of the registry can hold it. */
const isKeyPart = (folded: string): boolean => folded.isWellFormed() && byteLength(folded) <= PATH_BYTES;
