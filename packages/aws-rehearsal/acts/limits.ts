/** Budgets, the end of an execution, and answers that are too large. */
import { type Act, ask, compute, must, mustStand, SHORT } from "./act.ts";
import { zipOf } from "./whole-run.ts";

const parts = (numbers: number[]) =>
  numbers.map((number) => ({ title: `Part ${number}`, text: `MARK-${number}-BEGINS Write the files of this part.` }));

export const rolledOver: Act = {
  name: "an execution ends far below its limit, and the next one goes on",
  async play(stage) {
    const run = await compute(stage, { task: "Write the parts.", program: parts([20, 21, 22, 23, 24, 25, 26, 27]) });
    mustStand(run, "completed");
    must("Several executions computed it", run.epoch >= 3, run.epoch);
  },
};

const USD = 0.05;

export const ceiling: Act = {
  name: "a run with a price never costs more than its ceiling",
  async play(stage) {
    const priced = { price: { input: 2, output: 8 }, budget: { usd: USD } };
    const run = await compute(stage, {
      task: "Write the parts.",
      program: parts([30, 31, 32, 33, 34, 35, 36, 37]),
      ...priced,
    });
    mustStand(run, "partial", "usd");
    must("It spent something", run.microUsd > 0);
    must(`It spent no more than ${USD * 1e6}`, run.microUsd <= USD * 1e6, run.microUsd);
    await zipOf(stage, run.id);
  },
};

/** The eighth of the files that are easily spoiled has a megabyte. */
const MEGABYTE = 8;

export const tooLarge: Act = {
  name: "what is too large for an answer is answered with a link",
  async play(stage) {
    const run = await compute(stage, { task: "Write the parts.", program: parts([MEGABYTE]) });
    mustStand(run, "completed");
    const { headers } = await ask(stage, `GET /runs/${run.id}/turns/1/1`, { status: 303 });
    const whole = (await (await fetch(headers.get("location") ?? "")).json()) as { turn?: { instruction: number } };
    must("The link leads to the turn", whole.turn?.instruction === 1, whole.turn);
    const small = await compute(stage, SHORT);
    must("A small one needs none", (await stage.owner.ask("GET", `/runs/${small.id}/turns/1/1`)).status === 200);
  },
};
