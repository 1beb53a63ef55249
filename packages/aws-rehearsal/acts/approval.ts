/** A program that waits for approval continues only when it is approved. */
import { type Act, ask, compute, json, must, mustStand, SHORT, settled } from "./act.ts";

const WAITING = { ...SHORT, approve: "plan" };

export const approved: Act = {
  name: "a program waits for approval, is changed meanwhile, and is executed as it was approved",
  async play(stage) {
    const { id } = await compute(stage, WAITING);
    const waiting = await stage.itemOf(id);
    must("No time is due", waiting.status === "waiting" && waiting.dueAt === undefined, waiting);
    const executions = stage.controlUnit.executions().length;
    await stage.sweep();
    mustStand(await settled(stage, id), "waiting", "approval");
    must("The sweeper left it alone", stage.controlUnit.executions().length === executions);
    must("Nothing of it was written", (await stage.itemOf(id)).updatedAt === waiting.updatedAt);

    const program = [SHORT.program[1]];
    const { headers } = await ask(stage, `GET /runs/${id}/program`);
    const etag = headers.get("etag") ?? "";
    await ask(stage, `PUT /runs/${id}/program`, { status: 428, body: program });
    await ask(stage, `PUT /runs/${id}/program`, { body: program, headers: { "if-match": etag } });
    await ask(stage, `PUT /runs/${id}/program`, { status: 412, body: program, headers: { "if-match": etag } });
    await ask(stage, `POST /runs/${id}/approve`, { status: 202, body: { decision: "approve" } });
    await ask(stage, `POST /runs/${id}/approve`, { status: 409, body: { decision: "approve" } });

    const done = await settled(stage, id);
    mustStand(done, "completed");
    must(
      "It was approved once, and what was approved is its program",
      done.epoch === 2 && done.instructions === 1,
      done,
    );
    const { files } = json(await ask(stage, `GET /runs/${id}/files`));
    const paths = files.map(({ path }: { path: string }) => path);
    must("The files are those of the changed program", !paths.includes("parts/part-1.txt"), paths);
    must("It has them", paths.includes("parts/part-2.txt"), paths);
  },
};

export const rejected: Act = {
  name: "a program that is rejected is not executed, and waits again where its run is resumed",
  async play(stage) {
    const { id } = await compute(stage, WAITING);
    await ask(stage, `POST /runs/${id}/approve`, { status: 202, body: { decision: "reject" } });
    mustStand(await settled(stage, id), "cancelled", "rejected");
    await ask(stage, `POST /runs/${id}/resume`, { status: 202, body: {} });
    mustStand(await settled(stage, id), "waiting", "approval");
    await ask(stage, `POST /runs/${id}/approve`, { status: 202, body: { decision: "approve" } });
    mustStand(await settled(stage, id), "completed");
  },
};
