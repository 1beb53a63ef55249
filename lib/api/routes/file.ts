/** `GET /runs/{id}/file`: the bytes of one file, as inert data. */
import * as z from "zod";
import { sha256 } from "../../control/files/digest.ts";
import { readBlob } from "../../control/files/verified-read.ts";
import { packInstead, type Run } from "../../core/run/run.ts";
import { checkPath, foldPath } from "../../core/text/file-path.ts";
import { decodeText } from "../../core/text/file-text.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { At, treeAt } from "../at.ts";
import { badField, Refused } from "../problem.ts";
import { answerBytes, LINK_SECONDS } from "../respond.ts";
import { type Reply, type RouteCall, route } from "../route.ts";
import { ownRun } from "../run-view.ts";

const Query = z.strictObject({ path: z.string().min(1).max(4_000), at: At.optional() });

export const file = route({
  name: "showFile",
  description: "Answers the bytes of one file.",
  query: Query,
  answers: {
    200: { description: "The file's bytes." },
    303: { description: "Its location, if it is too large for one answer." },
  },
  problems: [400, 403, 404],
  async handle(call) {
    const run = await ownRun(call);
    const checked = checkPath(call.query.path);
    if ("problem" in checked) throw badField("path", checked.problem);
    const content = await contentOf(call, run, checked.path);
    if (!content) throw new Refused(404, `The run has no file ${checked.path}.`);
    return content.length > answerBytes(call) ? linkTo(call, run, content) : shown(checked.path, content);
  },
});

async function contentOf(
  { parts, query }: RouteCall<z.infer<typeof Query>>,
  run: Run,
  path: string,
): Promise<Uint8Array | undefined> {
  const at = query.at ?? packInstead(run)?.toString();
  if (at !== undefined) return (await treeAt(parts, run, at)).content(path);
  const entry = await parts.registry.file(run.id, foldPath(path));
  return entry && readBlob(parts.files, run.id, entry.sha256);
}

async function linkTo(
  { parts, query }: RouteCall<z.infer<typeof Query>>,
  run: Run,
  content: Uint8Array,
): Promise<Reply> {
  const key = fileStoreKeys(run.id).blob(sha256(content));
  // While the starting files are loaded, the file may exist in their pack only.
  if (packInstead(run) !== undefined) await parts.files.putOnce(key, content);
  return { status: 303, location: await parts.links.get(key, { seconds: LINK_SECONDS, fileName: nameOf(query.path) }) };
}

/** A model wrote it: a browser saves it and executes nothing of it. */
const shown = (path: string, bytes: Uint8Array): Reply => ({
  status: 200,
  bytes,
  headers: {
    "content-type": isText(bytes) ? "text/plain; charset=utf-8" : "application/octet-stream",
    "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(nameOf(path)).replace(/['()*]/g, "_")}`,
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
  },
});

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1).toWellFormed();

const isText = (bytes: Uint8Array): boolean => decodeText(bytes) !== undefined;
