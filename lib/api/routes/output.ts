/** `GET /runs/{id}/output`: a link to the zip of a run's files, usable by anyone who has it. */
import * as z from "zod";
import { digestOf } from "../../control/files/digest.ts";
import { readRequired } from "../../control/files/verified-read.ts";
import { type Digest, isEnded, type Run, waitsForApproval } from "../../core/run/run.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { OutputLink } from "../answers.ts";
import { notAccepted } from "../at.ts";
import type { ApiContext } from "../parts.ts";
import { Refused } from "../problem.ts";
import { LINK_SECONDS, wholeLink } from "../respond.ts";
import { route } from "../route.ts";
import { linksOf, ownRun } from "../run-view.ts";

const Query = z.strictObject({
  at: z
    .string()
    .regex(/^\d{1,6}$/, "It is the number of an instruction.")
    .optional()
    .describe("The files after this instruction, also before the run has ended."),
});

export const output = route({
  method: "GET",
  path: "/runs/{id}/output",
  name: "showOutput",
  description: "Creates a link to the zip of the run's files. It needs no authorisation and expires after 15 minutes.",
  query: Query,
  answers: { 200: { description: "The link, with the size and hash of the zip.", schema: OutputLink } },
  problems: [400, 403, 404, 409],
  async handle(call) {
    const { parts } = call;
    const run = await ownRun(call);
    const { at } = call.query;
    const key = at === undefined ? keyOf(run, call.context) : packOf(run, Number(at));
    const { bytes, sha256 } = knownDigest(run, key) ?? digestOf(await readRequired(parts.files, key));
    const link = await parts.links.get(key, { seconds: LINK_SECONDS, fileName: `${run.name}.zip` });
    const url = wholeLink(link, call);
    const expiresAt = new Date(parts.clock.now() + LINK_SECONDS * 1_000).toISOString();
    return { status: 200, json: { url, expiresAt, bytes, sha256 } };
  },
});

/** Noted when the output was written; unknown for packs and for zips of earlier versions. */
const knownDigest = ({ id, name, outputDigest }: Run, key: string): Digest | undefined =>
  key === fileStoreKeys(id).output(`${name}.zip`) ? outputDigest : undefined;

/** A completed run is delivered with its readable forms; any other ending has its latest pack. */
function keyOf(run: Run, context: ApiContext): string {
  const keys = fileStoreKeys(run.id);
  if (run.status === "completed") return keys.output(`${run.name}.zip`);
  const { events, files, approve, resume } = linksOf(run.id, context);
  if (!isEnded(run.status)) {
    const toContinue = `POST ${waitsForApproval(run) ? approve : resume}`;
    const next = run.status === "waiting" ? toContinue : `GET ${events}?wait=20`;
    throw new Refused(409, `The run is ${run.status}; its output is available at its end.`, {
      next: `${next}, or GET ${files}`,
    });
  }
  if (run.packed >= 0) return keys.pack(run.packed);
  throw new Refused(409, `The run ended (${run.status}) before it had any files.`, { next: `POST ${resume}` });
}

function packOf(run: Run, instruction: number): string {
  if (instruction > run.packed) throw notAccepted(run, instruction);
  return fileStoreKeys(run.id).pack(instruction);
}
