/** A program with loops and checks takes its steps in the stack: facts come from its evaluator and its table. */
import { type Act, ask, compute, json, must, mustStand } from "./act.ts";

const part = (number: number) => ({
  kind: "do",
  title: `Part ${number}`,
  text: `MARK-${number}-BEGINS Write the files of this part.`,
});

const PROGRAM = [
  part(1),
  {
    kind: "for_each",
    items: { glob: "parts/*.txt" },
    as: "file",
    atMost: 3,
    body: [{ ...part(2), title: "After {{file}}" }],
  },
  {
    kind: "repeat",
    until: { argv: ["test", "-f", "parts/part-2.txt"] },
    atMost: 2,
    body: [{ ...part(3), title: "Again" }],
  },
  { kind: "assert", check: { file: "parts/part-2.txt", exists: true }, otherwise: "stop" },
];

export const looped: Act = {
  name: "a program with a loop, a repetition and a check is executed step by step, over several executions",
  async play(stage) {
    const run = await compute(stage, { task: "Write the parts.", program: PROGRAM });
    mustStand(run, "completed");
    const { instructions } = json(await ask(stage, `GET /runs/${run.id}/program`));
    const titles = instructions.map(({ title }: { title: string }) => title);
    const expected = ["Part 1", "After parts/part-1.txt", "Again"];
    must("It took these steps", JSON.stringify(titles) === JSON.stringify(expected), titles);
    const { events } = json(await ask(stage, `GET /runs/${run.id}/events`));
    const checks = events.filter(({ type }: { type: string }) => type === "checked");
    must("Each fact is an event", checks.length === 3, checks);
  },
};
