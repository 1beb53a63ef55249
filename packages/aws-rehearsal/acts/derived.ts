/** New runs of a finished one: a fork inherits its history, and make takes over its unchanged steps. */
import { type Act, ask, compute, json, must, mustStand, SHORT, settled } from "./act.ts";

export const forked: Act = {
  name: "a run is forked, the other one is deleted, and the fork is whole",
  async play(stage) {
    const first = await compute(stage, SHORT);
    mustStand(first, "completed");
    const forking = { status: 202, body: { at: "1" } };
    const { id } = json(await ask(stage, `POST /runs/${first.id}/fork`, forking));
    const fork = await settled(stage, id);
    mustStand(fork, "completed");
    must("It paid for its own instruction alone", fork.calls < first.calls, [fork.calls, first.calls]);
    await ask(stage, `DELETE /runs/${first.id}`, { headers: { "content-type": "application/json" } });
    const { files } = json(await ask(stage, `GET /runs/${id}/files`));
    const paths = files.map(({ path }: { path: string }) => path);
    must("It has what it inherited", paths.includes("parts/part-1.txt") && paths.includes("parts/part-2.txt"), paths);
  },
};

export const made: Act = {
  name: "a changed program takes over the unchanged step of a run without a call",
  async play(stage) {
    const first = await compute(stage, SHORT);
    mustStand(first, "completed");
    const changed = { title: "Part 3", text: "MARK-3-BEGINS Write the files of this part." };
    const body = { program: [SHORT.program[0], changed] };
    const { plan } = json(await ask(stage, `POST /runs/${first.id}/make`, { body: { ...body, dryRun: true } }));
    must("The plan is shown", plan !== undefined, plan);
    const { id } = json(await ask(stage, `POST /runs/${first.id}/make`, { status: 202, body }));
    const run = await settled(stage, id);
    mustStand(run, "completed");
    must("Only the changed step asked the model", run.calls < first.calls, [run.calls, first.calls]);
  },
};
