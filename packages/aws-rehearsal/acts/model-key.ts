/** The model server's key, before and after it is set. */
import { KEY } from "../stage-model.ts";
import { type Act, ask, compute, json, must, mustStand, SHORT } from "./act.ts";

export const keyNotSet: Act = {
  name: "without a key a task is refused with the command that sets it, and a rehearsal is not",
  async play(stage) {
    stage.secrets.set(undefined);
    const problem = json(await ask(stage, "POST /runs", { status: 409, body: { ...SHORT, model: "gpt-5" } }));
    must("The answer contains the command that sets the secret", /put-secret-value/.test(problem.next?.note), problem);
    mustStand(await compute(stage, { ...SHORT, model: "rehearsal" }), "completed");
  },
};

export const keyUsed: Act = {
  name: "the key reaches the model's server, and shows nowhere else",
  async play(stage) {
    const run = await compute(stage, SHORT);
    mustStand(run, "completed");
    must("The server was asked with the key", stage.model.requests.length > 0);
    const outputs = [
      ...stage.functions.logs().map(({ text }) => text),
      ...stage.controlUnit.executions().map((execution) => JSON.stringify(execution)),
      JSON.stringify(await stage.itemOf(run.id)),
      JSON.stringify(json(await ask(stage, `GET /runs/${run.id}/events`))),
      JSON.stringify(json(await ask(stage, `GET /runs/${run.id}/turns/1/1`))),
      JSON.stringify(stage.deployed.resources),
    ];
    must("Something was outputs", outputs.every((text) => text.length > 0) && outputs.length > 4, outputs.length);
    must(
      "The key is in none of it",
      outputs.every((text) => !text.includes(KEY)),
    );
  },
};
