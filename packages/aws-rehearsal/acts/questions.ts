/** A question of a program ends the execution; its answer begins the next one. */
import { type Act, ask, compute, json, must, mustStand, SHORT, settled } from "./act.ts";

export const asked: Act = {
  name: "a program asks a person, waits without an execution, and continues with the answer",
  async play(stage) {
    const question = { kind: "ask", question: "Which?", choices: ["This", "That"], saveTo: "answer.txt" };
    const { id } = await compute(stage, { task: SHORT.task, program: [SHORT.program[0], question, SHORT.program[1]] });
    mustStand(await settled(stage, id), "waiting", "answer");
    const waiting = await stage.itemOf(id);
    must("No time is due", waiting.dueAt === undefined, waiting);
    const executions = stage.controlUnit.executions().length;
    await stage.sweep();
    must("The sweeper left it alone", stage.controlUnit.executions().length === executions);
    await ask(stage, `POST /runs/${id}/answers`, { status: 400, body: { step: 2, choice: 3 } });
    await ask(stage, `POST /runs/${id}/answers`, { status: 202, body: { step: 2, choice: 2 } });
    mustStand(await settled(stage, id), "completed");
    const { files } = json(await ask(stage, `GET /runs/${id}/files`));
    must(
      "It is delivered",
      files.some(({ path }: { path: string }) => path === "answer.txt"),
      files,
    );
  },
};
