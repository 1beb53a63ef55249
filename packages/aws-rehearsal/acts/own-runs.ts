/** Runs belong to the caller that submitted them. */
import { type Act, ask, compute, json, must, mustStand, SHORT } from "./act.ts";

export const ownRuns: Act = {
  name: "callers see only their own runs, and nothing without permission",
  async play(stage) {
    const run = await compute(stage, SHORT);
    mustStand(run, "completed");
    const as = stage.colleague;
    for (const path of ["", "/program", "/events", "/files", "/output"] as const)
      await ask(stage, `GET /runs/${run.id}${path}`, { as, status: 404 });
    await ask(stage, `POST /runs/${run.id}/cancel`, { as, body: {}, status: 404 });
    must("Another's list is empty", json(await ask(stage, "GET /runs", { as })).runs.length === 0);
    const { status, title } = json(await ask(stage, "GET /runs", { as: stage.stranger, status: 403 }));
    must("IAM's refusal is a problem too", status === 403 || typeof title === "string", { status, title });
  },
};
