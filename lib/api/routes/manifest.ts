/** `GET /runs/{id}/manifest`: what was delivered, with the hash of every file. */
import { readManifest } from "../../control/provenance/read-manifest.ts";
import { Envelope } from "../../core/provenance/envelope.ts";
import type { Run } from "../../core/run/run.ts";
import { Refused } from "../problem.ts";
import { type RouteCall, route } from "../route.ts";
import { linksOf, ownRun } from "../run-view.ts";

export const manifest = route({
  name: "showManifest",
  description: "Shows the manifest of the run's output: a DSSE envelope with an in-toto statement about its files.",
  answers: {
    200: { description: "The envelope. It has no signature where the server has no key.", schema: Envelope },
    303: { description: "Where it is, being too large for one answer." },
  },
  problems: [400, 403, 404, 409],
  handle: async (call) => ({ status: 200, json: await delivered(call) }),
});

async function delivered(call: RouteCall) {
  const run = await ownRun(call);
  const found = await readManifest(call.parts.files, run);
  if (found) return found;
  throw new Refused(409, whyNone(run), { next: `GET ${linksOf(run.id, call.context).output}` });
}

const whyNone = ({ status }: Run): string =>
  `The run is ${status}; it has no manifest. A manifest is written when a program has come to its end.`;
