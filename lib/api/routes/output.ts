/** `GET /runs/{id}/output`: a link to the zip of a run's files, usable by anyone who has it. */
import * as z from "zod";
import { digestOf } from "../../control/files/digest.ts";
import { readPack } from "../../control/files/packs.ts";
import { readRequired } from "../../control/files/verified-read.ts";
import { type Digest, isEnded, type Run, waitsForApproval } from "../../core/run/run.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { OutputLink } from "../answers.ts";
import { notAccepted } from "../at.ts";
import { Refused } from "../problem.ts";
import { LINK_SECONDS, wholeLink } from "../respond.ts";
import { type RouteCall, route } from "../route.ts";
import { linksOf, ownRun } from "../run-view.ts";
import { uploadKey } from "../starting-files.ts";

const Query = z.strictObject({
  at: z
    .string()
    .regex(/^\d{1,6}$/, "It is the number of an instruction.")
    .optional()
    .describe("The files after this instruction, also before the run has ended."),
});

export const output = route({
  name: "showOutput",
  description: "Creates a link to the zip of the run's files. It needs no authorisation and expires after 15 minutes.",
  query: Query,
  answers: { 200: { description: "The link, with the size and hash of the zip.", schema: OutputLink } },
  problems: [400, 403, 404, 409],
  async handle(call) {
    const { parts } = call;
    const run = await ownRun(call);
    const { at } = call.query;
    const { key, bytes, sha256 } = await (at === undefined ? latestZip(call, run) : packZip(call, run, Number(at)));
    const link = await parts.links.get(key, { seconds: LINK_SECONDS, fileName: `${run.name}.zip` });
    const url = wholeLink(link, call);
    const expiresAt = new Date(parts.clock.now() + LINK_SECONDS * 1_000).toISOString();
    return { status: 200, json: { url, expiresAt, bytes, sha256 } };
  },
});

type Zip = Digest & { key: string };

/** A completed run is delivered with its readable forms; any other ending has its latest pack. */
async function latestZip(call: RouteCall, run: Run): Promise<Zip> {
  const { events, files, approve, resume } = linksOf(run.id, call.context);
  if (run.status === "completed") {
    const key = fileStoreKeys(run.id).output(`${run.name}.zip`);
    // Noted when the output was written; zips of earlier versions are measured.
    return { key, ...(run.outputDigest ?? digestOf(await readRequired(call.parts.files, key))) };
  }
  if (!isEnded(run.status)) {
    const toContinue = `POST ${waitsForApproval(run) ? approve : resume}`;
    const next = run.status === "waiting" ? toContinue : `GET ${events}?wait=20`;
    throw new Refused(409, `The run is ${run.status}; its output is available at its end.`, {
      next: `${next}, or GET ${files}`,
    });
  }
  if (run.packed >= 0) return packZip(call, run, run.packed);
  throw new Refused(409, `The run ended (${run.status}) before it had any files.`, { next: `POST ${resume}` });
}

/** A link needs one object: where the pack is not stored as a whole, it is put together among what expires. */
async function packZip({ parts: { files }, context }: RouteCall, run: Run, number: number): Promise<Zip> {
  if (number > run.packed) throw notAccepted(run, number);
  const key = fileStoreKeys(run.id).pack(number);
  const whole = await files.get(key);
  if (whole) return { key, ...digestOf(whole) };
  const pack = await readPack(files, run.id, number);
  const rebuilt = uploadKey(context.caller, `${run.id}-${number}`);
  await files.put(rebuilt, pack);
  return { key: rebuilt, ...digestOf(pack) };
}
