/** From a task to the unpacked zip, with every API route on the way. */
import { randomUUID } from "node:crypto";
import { sha256 } from "../../../lib/control/files/digest.ts";
import { unpackTree } from "../../../lib/pack/pack.ts";
import type { Stage } from "../stage.ts";
import { type Act, ask, json, must, mustStand, settled, submit } from "./act.ts";

/** A rehearsal: no key, no model. */
export const TASK = { task: "A command-line tool that keeps a tally of what I spend", model: "rehearsal" };

export const wholeRun: Act = {
  name: "a task is submitted, computed, delivered and fetched",
  async play(stage) {
    const id = await submit(stage, TASK, { "idempotency-key": randomUUID() });
    const run = await settled(stage, id);
    mustStand(run, "completed");
    await mustTellAllEvents(stage, id);
    await mustShow(stage, id);
    stage.delivered = { zip: await zipOf(stage, id), instructions: run.instructions };
  },
};

async function mustTellAllEvents(stage: Stage, id: string): Promise<void> {
  const seen: { seq: number; type: string }[] = [];
  for (let last = 0; seen.at(-1)?.type !== "ended"; last = seen.length) {
    const { events } = json(await ask(stage, `GET /runs/${id}/events?after=${last}&wait=1`));
    must("There are events up to the end", events.length > 0, { last });
    seen.push(...events);
  }
  must(
    "Events are numbered without a gap",
    seen.every(({ seq }, at) => seq === at + 1),
  );
}

async function mustShow(stage: Stage, id: string): Promise<void> {
  const { instructions } = json(await ask(stage, `GET /runs/${id}/program`));
  must(
    "Every instruction is accepted",
    instructions.every(({ status }: { status: string }) => status === "accepted"),
  );
  const { requirements } = json(await ask(stage, `GET /runs/${id}/requirements`));
  must("There are requirements", requirements.length > 0);
  const { files } = json(await ask(stage, `GET /runs/${id}/files?prefix=src/&limit=1000`));
  must("There are files", files.length > 0);
  const { bytes } = await ask(stage, `GET /runs/${id}/file?path=package.json`);
  must("A file is given as it is", JSON.parse(new TextDecoder().decode(bytes)).name !== undefined);
  await ask(stage, `GET /runs/${id}/file?path=package.json&at=1`);
  await ask(stage, `GET /runs/${id}/files?at=1`);
  json(await ask(stage, `GET /runs/${id}/turns/1/1`));
  const { runs } = json(await ask(stage, "GET /runs?q=tally&status=completed"));
  must(
    "The owner's list holds the run",
    runs.some((run: { id: string }) => run.id === id),
  );
}

/** As anybody fetches it who was given the link. */
export async function zipOf(stage: Stage, id: string): Promise<Uint8Array> {
  const output = json(await ask(stage, `GET /runs/${id}/output`));
  const fetched = await fetch(output.url);
  const zip = new Uint8Array(await fetched.arrayBuffer());
  must(
    `The link is good, and not ${fetched.status}`,
    fetched.status === 200,
    new TextDecoder().decode(zip.slice(0, 500)),
  );
  must("The zip is the one that was promised", sha256(zip) === output.sha256 && zip.length === output.bytes);
  must("The zip holds files", unpackTree(zip).size > 0);
  return zip;
}
