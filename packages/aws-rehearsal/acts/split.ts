/** A stuck instruction is split in the stack: Execute stores the parts, each batch on condition of its attempt. */
import { CIRCLE } from "../stage-model.ts";
import { type Act, ask, compute, json, must, mustStand } from "./act.ts";

export const splitInHalf: Act = {
  name: "an instruction that is stuck is split, and its parts are executed",
  async play(stage) {
    const program = [{ title: "Whole", text: `${CIRCLE} Write the files.` }];
    const run = await compute(stage, { task: "Write the parts.", program });
    mustStand(run, "completed");
    const { instructions } = json(await ask(stage, `GET /runs/${run.id}/program`));
    const titles = instructions.map(({ title }: { title: string }) => title);
    must("Its parts are in its place", JSON.stringify(titles) === JSON.stringify(["Half 1", "Half 2"]), titles);
  },
};
