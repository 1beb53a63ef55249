/** A run made again after one of its instructions changed: what is executed, and how long it takes. */
import { makeRun } from "../lib/control/make/make-run.ts";
import type { Draft } from "../lib/core/program/program.ts";
import { draftFromData } from "../lib/core/program/program-text.ts";
import { computeIn, independentParts, withLanes } from "./lanes/lane-machine.ts";
import type { Row } from "./table.ts";

const INSTRUCTIONS = 100;
const CHANGED = 50;
const AIM_SECONDS = 10;

export async function make(): Promise<Row[]> {
  const parts = independentParts(INSTRUCTIONS);
  return withLanes({ parts, options: { parallel: 1 } }, async ({ machine, asked, submit }) => {
    const run = await computeIn(machine, await submit());
    const before = asked();
    // Of this process alone: others work on the machine too.
    const since = process.cpuUsage();
    const { submission, plan } = await makeRun(machine, run, { name: "again", program: changedDraft(parts) });
    const made = await computeIn(machine, await machine.submit(submission));
    const { user, system } = process.cpuUsage(since);
    if (made.status !== "completed") throw new Error(`The run ended ${made.status}: ${made.detail}`);
    const calls = asked() - before;
    const seconds = (user + system) / 1e6;
    const { steps } = plan.price.execute;
    return [
      {
        what: `make after one of ${INSTRUCTIONS} instructions changed: executed, calls of the model`,
        figure: `${steps}, ${calls}`,
        aim: "1, 1",
        reached: steps === 1 && calls === 1,
      },
      {
        what: "… processor time",
        figure: `${seconds.toFixed(1)} s`,
        aim: `≤ ${AIM_SECONDS} s`,
        reached: seconds <= AIM_SECONDS,
      },
    ];
  });
}

function changedDraft(parts: ReturnType<typeof independentParts>): Draft {
  const instructions = parts.map((part, index) => ({
    ...{ title: `Part ${index + 1}`, ...part },
    ...(index + 1 === CHANGED ? { text: `Write part ${CHANGED} in other words.` } : {}),
  }));
  const draft = draftFromData({ instructions });
  if ("problem" in draft) throw new Error(draft.problem);
  return draft;
}
