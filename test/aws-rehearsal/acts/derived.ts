/** New runs of a finished one: a fork inherits its history, make takes over its unchanged steps, a call is remembered. */
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

export const remembered: Act = {
  name: "a call that was accepted before is copied from the files of another run of the same caller alone",
  async play(stage) {
    const [part, other] = SHORT.program;
    const call = { kind: "call", program: "part.md", body: [part] };
    const body = { task: "Write the remembered part.", program: [call, other] };
    const first = await compute(stage, body);
    mustStand(first, "completed");
    const calls = async (more: object, as = stage.owner): Promise<number> => {
      const { id } = json(await ask(stage, "POST /runs", { status: 202, body: { ...body, ...more }, as }));
      await stage.controlUnit.settled();
      const run = json(await ask(stage, `GET /runs/${id}`, { as }));
      mustStand(run, "completed");
      must("It says what it copied", (run.copied?.steps ?? 0) === (run.calls < first.calls ? 1 : 0), run.copied);
      return run.calls;
    };
    must("The call asks no model", (await calls({})) < first.calls);
    must("It is executed if that is asked for", (await calls({ memo: false })) === first.calls);
    must("It is another's for a colleague", (await calls({}, stage.colleague)) === first.calls);
  },
};
