/** Delivers a run whose program is done: output, readable book where the domain is one, report. */
import { type Ending, endRun } from "../lib/control/lifecycle/ending.ts";
import { deliverOutput } from "../lib/control/lifecycle/output.ts";
import { pushRun } from "../lib/control/lifecycle/push.ts";
import { type HandlerInput, withRun } from "../lib/control/lifecycle/with-run.ts";
import type { Invocation, World } from "../lib/control/world.ts";
import { isAllProven, type ProofCount, provenWords } from "../lib/core/evidence/standing.ts";
import { advance, type HandlerAnswer } from "../lib/core/program/advance.ts";
import type { Run } from "../lib/core/run/run.ts";
import { pluralize } from "../lib/core/text/format.ts";
import { describeStuck } from "../lib/core/turn/stuck.ts";

export const createDeliver =
  (world: World) =>
  (input: HandlerInput, invocation: Invocation): Promise<HandlerAnswer> =>
    withRun(world, input, async (claimed) => {
      if (advance(claimed) !== "deliver") return { next: "stop" };
      const run = await world.registry.commit(claimed, { run: { status: "delivering" } });
      const { digest, files, notes } = await deliverOutput(world, run);
      const ending = run.skipped ? await partlyDone(world, run) : done(run);
      const pushed = await pushRun(world, run, invocation);
      await endRun(world, pushed.run, {
        ...ending,
        // It goes to webhooks and other systems: what was pushed, and what was not, is in the run's events.
        detail: [ending.detail, ...notes, ...(pushed.note === undefined ? [] : [pushed.note])].join(" "),
        output: { ...digest, files },
      });
      return { next: "stop" };
    });

function done({ unchecked, proven }: Run): Ending {
  if (proven && !isAllProven(proven))
    return { status: "partial", reason: "unproven", detail: unprovenWords(proven, unchecked) };
  const note = proven ? ` ${provenWords(proven)}` : "";
  if (unchecked.length === 0) return { status: "completed", detail: `Completed.${note}` };
  return { status: "completed", reason: "unchecked", detail: `Completed, but ${notChecked(unchecked)}${note}` };
}

const unprovenWords = (proven: ProofCount, unchecked: string[]): string =>
  [
    "The program is computed, and not all that it has to do is proven.",
    provenWords(proven),
    ...(unchecked.length > 0 ? [`Also, ${notChecked(unchecked)}`] : []),
  ].join(" ");

const notChecked = (unchecked: string[]): string => `not all of it could be checked: ${unchecked.join("; ")}.`;

const SKIPPED_NAMED = 5;

/** What was skipped is not done, so the run is not completed, though everything else is computed. */
async function partlyDone({ registry }: World, { id, instructions: total, unchecked }: Run): Promise<Ending> {
  const instructions = await registry.instructions(id);
  const skipped = instructions.filter(({ status }) => status === "skipped");
  const named = skipped
    .slice(0, SKIPPED_NAMED)
    .map(({ number, title, trap }) => `instruction ${number} (${title})${trap ? `: ${describeStuck(trap)}` : ""}`);
  const more = skipped.length - named.length;
  const detail = [
    `Skipped ${skipped.length} of ${pluralize(total, "instruction")}, and computed the rest.`,
    `Skipped: ${named.join("; ")}${more > 0 ? `; and ${more} more` : ""}.`,
    ...(unchecked.length > 0 ? [`Of the rest, ${notChecked(unchecked)}`] : []),
  ];
  return { status: "partial", reason: "trapped", detail: detail.join(" ") };
}
