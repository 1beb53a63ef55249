/** Cancelling, resuming, and submitting twice. */
import { randomUUID } from "node:crypto";
import { type Act, ask, compute, json, must, mustStand, SHORT, settled, submit } from "./act.ts";
import { zipOf } from "./whole-run.ts";

export const cancelled: Act = {
  name: "a run is cancelled, and what is accepted is kept",
  async play(stage) {
    const id = await submit(stage, SHORT);
    await ask(stage, `POST /runs/${id}/cancel`, { status: 202, body: {} });
    const run = await settled(stage, id);
    must("The run is cancelled", run.status === "cancelled", run);
  },
};

export const resumed: Act = {
  name: "a run ends at its ceiling, and goes on with a higher one",
  async play(stage) {
    const run = await compute(stage, { ...SHORT, budget: { turns: 3 } });
    mustStand(run, "partial", "turns");
    must("The ceiling holds", run.turns <= 3, run.turns);
    await zipOf(stage, run.id);
    await ask(stage, `POST /runs/${run.id}/resume`, { status: 202, body: { budget: { turns: 50 } } });
    mustStand(await settled(stage, run.id), "completed");
  },
};

export const submittedTwice: Act = {
  name: "one idempotency key makes one run, and another body is refused",
  async play(stage) {
    const headers = { "idempotency-key": randomUUID() };
    const one = await submit(stage, SHORT, headers);
    must("It is the same run", (await submit(stage, SHORT, headers)) === one);
    await ask(stage, "POST /runs", { status: 422, body: { ...SHORT, task: "Something else." }, headers });
    mustStand(await settled(stage, one), "completed");
    must("It ran once", json(await ask(stage, `GET /runs/${one}`)).epoch === 1);
  },
};
