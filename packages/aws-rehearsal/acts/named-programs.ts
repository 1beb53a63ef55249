/** Programs under names in the stack's bucket: callers put them, and runs have what was there at their submission. */
import { type Act, ask, compute, json, must, mustStand, SHORT } from "./act.ts";

const AS_JSON = { "content-type": "application/json" };
const [PART, OTHER] = SHORT.program;

export const named: Act = {
  name: "a program is put under a name, called by it, replaced and removed, and is another's for a colleague",
  async play(stage) {
    await ask(stage, "PUT /programs/part", { status: 201, body: [PART] });
    const program = [{ kind: "call", program: "part", needs: [] }];
    const body = { task: "Write the part that has a name.", program };
    const run = await compute(stage, body);
    mustStand(run, "completed");
    const { tree } = json(await ask(stage, `GET /runs/${run.id}/program`));
    must("The run has the program itself", tree[0]?.body?.[0]?.title === PART?.title, tree);
    await ask(stage, "PUT /programs/part", { status: 409, body: [OTHER] });
    const { sha256 } = json(await ask(stage, "GET /programs/part"));
    await ask(stage, "PUT /programs/part", { body: [OTHER], headers: { "if-match": `"${sha256}"` } });
    await ask(stage, "POST /runs", { status: 400, body, as: stage.colleague });
    await ask(stage, "DELETE /programs/part", { status: 404, headers: AS_JSON, as: stage.colleague });
    await ask(stage, "DELETE /programs/part", { headers: AS_JSON });
    const { programs } = json(await ask(stage, "GET /programs"));
    must("None is left", programs.length === 0, programs);
  },
};
