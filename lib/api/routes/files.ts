/** `GET /runs/{id}/files`: the files of a run, as they are now or as they were. */
import * as z from "zod";
import { PATH_BYTES } from "../../core/limits.ts";
import { packInstead, type Run } from "../../core/run/run.ts";
import { badCursor, fromCursor, toCursor } from "../../core/store/cursor.ts";
import { foldPath } from "../../core/text/file-path.ts";
import { byteLength } from "../../core/text/file-text.ts";
import { type File, FilePage } from "../answers.ts";
import { At, treeAt } from "../at.ts";
import { about, badField } from "../problem.ts";
import { type Asked, route } from "../route.ts";
import { ownRun } from "../run-view.ts";

const Query = z.strictObject({
  prefix: z.string().max(PATH_BYTES).default("").describe("What the paths begin with, in any case."),
  at: At.optional().describe("`3`: as instruction 3 left them; `3.2`: after its second turn. Absent: as they are."),
  cursor: z.string().min(1).max(4_000).optional(),
  limit: z.number().int().min(1).max(1_000).default(200),
});

export const files = route({
  method: "GET",
  path: "/runs/{id}/files",
  name: "listFiles",
  says: "Lists files by path. Who wrote them last is told of the files as they are now.",
  query: Query,
  answers: { 200: { says: "A page.", schema: FilePage } },
  problems: [400, 403, 404],
  async handle(asked) {
    const run = await ownRun(asked);
    const { limit } = asked.query;
    const found = await filesAfter(asked, run);
    const files = found.slice(0, limit);
    const last = files.at(-1);
    const cursor = last && found.length > limit ? { cursor: toCursor([foldPath(last.path)]) } : {};
    return { status: 200, json: { files, ...cursor } };
  },
});

/** One more than asked for, to know whether others follow. */
async function filesAfter({ parts, query }: Asked<z.infer<typeof Query>>, run: Run): Promise<File[]> {
  const prefix = foldPath(query.prefix);
  if (!isKeyPart(prefix)) throw badField("prefix", "It is too long, or holds half a character.");
  const after = query.cursor === undefined ? undefined : await about("cursor", () => positionIn(query.cursor ?? ""));
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

/** What a key of the registry can hold. */
const isKeyPart = (folded: string): boolean => folded.isWellFormed() && byteLength(folded) <= PATH_BYTES;
