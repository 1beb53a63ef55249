/** A file that the model deletes is removed from the tree and the view, and remains in earlier packs. */
import { DELETE } from "../stage-model.ts";
import { type Act, ask, compute, json, must, mustStand, SHORT } from "./act.ts";

const PATH = "parts/part-1.txt";

export const deleted: Act = {
  name: "a file that is deleted is gone, and can be had as it was",
  async play(stage) {
    const last = { title: "Tidy up", text: `${DELETE} ${PATH}` };
    const run = await compute(stage, { ...SHORT, program: [...SHORT.program, last] });
    mustStand(run, "completed");
    const { files } = json(await ask(stage, `GET /runs/${run.id}/files`));
    must("The file is gone", !files.some(({ path }: { path: string }) => path === PATH), files);
    await ask(stage, `GET /runs/${run.id}/file?path=${PATH}`, { status: 404 });
    await ask(stage, `GET /runs/${run.id}/file?path=${PATH}&at=2`);
  },
};
