/** A program of 10,000 instructions on a tree that stays as large as it is: histories, states and time do not grow. */
import { median } from "../../bench/table.ts";
import type { Model } from "../../lib/core/ports.ts";
import { projectDefinition } from "../../lib/local/project-definition.ts";
import { aSubmission } from "../doubles/machines.ts";
import { lastingStorage } from "../doubles/mortal-storage.ts";
import { placeOf, programOf, scriptedModel, writerOf } from "../doubles/scripted-model.ts";
import { createVirtualClock } from "../virtual-clock.ts";
import { createChance } from "./chance.ts";
import { createDisturbance } from "./disturbance.ts";
import { type Broken, counted, type Experiment } from "./experiment.ts";
import { createPlayedCloud, OWNER } from "./played-cloud.ts";
import { watchStorage } from "./watched-storage.ts";

const INSTRUCTIONS = 10_000;
const QUICK_INSTRUCTIONS = 2_000;
const FILES = 25;
const HISTORY_AIM = 10_000;
const STATE_AIM = 1_024;
const FLAT_AIM = 1.3;

export const longProgram: Experiment = async ({ quick }) => {
  const instructions = quick ? QUICK_INSTRUCTIONS : INSTRUCTIONS;
  const { times, observed, completed, broken } = await computed(instructions);
  const share = quick ? 400 : 1_000;
  const ratio = median(times.slice(-share)) / median(times.slice(FILES, FILES + share));
  const longest = Math.max(0, ...observed.events);
  const failed: Broken[] = completed
    ? []
    : [{ invariant: "I11", what: "the run did not come to its end", where: `${instructions} instructions` }];
  return {
    broken: [...broken, ...failed],
    rows: [
      {
        what: `${counted(instructions)} instructions: history events of the longest of ${observed.events.length} executions`,
        figure: counted(longest),
        aim: `< ${counted(HISTORY_AIM)}`,
        reached: longest < HISTORY_AIM && completed,
      },
      {
        what: "… largest state",
        figure: `${observed.stateBytes} bytes`,
        aim: `≤ ${counted(STATE_AIM)}`,
        reached: observed.stateBytes <= STATE_AIM,
      },
      {
        what: `… time of an instruction, last ${counted(share)} : first ${counted(share)} (medians)`,
        figure: ratio.toFixed(2),
        aim: `≤ ${FLAT_AIM}`,
        // Of a short program it says little, on a machine that does other work too.
        ...(quick ? {} : { reached: ratio <= FLAT_AIM }),
      },
    ],
  };
};

async function computed(instructions: number) {
  const program = { instructions: programOf(instructions), requirements: [] };
  const submission = { ...(await aSubmission({ submission: { program } })), owner: OWNER };
  const broken: Broken[] = [];
  const where = `${instructions} instructions`;
  const note = (invariant: string, what: string): void => void broken.push({ invariant, what, where });
  const clock = createVirtualClock(Date.parse("2026-01-01T08:00:00Z"));
  const lasting = lastingStorage();
  const { model, times } = timedWriter(instructions);
  const cloud = createPlayedCloud({
    watched: watchStorage(lasting, note),
    disturbance: createDisturbance([]),
    clock,
    chance: createChance(1),
    definition: projectDefinition(),
    model,
    note,
  });
  await cloud.api((control) => control.submit(submission));
  // Time jumps when nothing is left to do.
  await clock.sleep(1_000);
  const { runs } = await cloud.registry.runs({ owner: OWNER, limit: 1 });
  const observed = cloud.observed();
  lasting.table.close();
  return { times, observed, completed: runs[0]?.status === "completed", broken };
}

function timedWriter(instructions: number): { model: Model; times: number[] } {
  const times: number[] = [];
  const inner = scriptedModel(
    writerOf(instructions, (number) => [{ path: `part-${number % FILES}.txt`, content: `${number}\n`.padStart(500) }]),
  );
  let since = process.cpuUsage();
  let at = 0;
  const model: Model = {
    async ask(request) {
      const { instruction } = placeOf(request);
      if (instruction !== at) {
        // Of this process alone: others work on the machine too.
        const { user, system } = process.cpuUsage(since);
        times.push(user + system);
        since = process.cpuUsage();
        at = instruction;
      }
      inner.requests.length = 0;
      return inner.ask(request);
    },
  };
  return { model, times };
}
