/**
 * Adopts a finished step of any source: lays what it wrote onto the tree as it is now, has the gate judge it, and
 * commits it as one turn. What is not adopted leaves the tree as it was. Nothing is committed before the gate has decided.
 */
import { defined } from "../../core/defined.ts";
import type { Instruction } from "../../core/program/program.ts";
import { NO_TIME_LEFT } from "../../core/verdict/gate.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import type { StepResult } from "../step-result.ts";
import { TRIED } from "../turn/body-kinds.ts";
import { bodyOf, readBody } from "../turn/journal.ts";
import type { OpenStep } from "../turn/open-step.ts";
import { type Acceptance, createTurnWorkbench } from "../turn/turn-workbench.ts";
import type { World } from "../world.ts";
import { commitAdopted } from "./commit-adopted.ts";
import { layWrites } from "./lay-writes.ts";
import { offerToGate } from "./offer-to-gate.ts";
import type { Offer, OfferedStep, OpenOffer } from "./step-source.ts";

export async function settleOffer(offer: NonNullable<Offer>): Promise<StepResult> {
  if ("done" in offer) return offer.done;
  if ("refused" in offer) return pass(offer.refused, { why: offer.refused.why });
  return adopt(offer.step);
}

async function adopt(offered: OfferedStep): Promise<StepResult> {
  const { opened, why, late } = offered;
  const { world, state } = opened;
  const problem = await layWrites(opened, offered);
  if (problem !== undefined)
    return pass(offered, {
      why: why.includes(problem) ? why : [why, problem].filter((each) => each !== "").join("; "),
    });
  const workbench = createTurnWorkbench(opened, 1);
  const refused = await offerToGate(workbench, offered);
  const { verdicts } = workbench;
  if (late && verdicts.some(ranOutOfTime)) {
    state.tree.discard();
    await world.registry.commit(state.run, { run: late, events: [] });
    return { kind: "answer", answer: { next: "execute" } };
  }
  const unproven = why === "" ? undefined : whyUnproven(workbench.acceptance());
  if (refused !== undefined)
    return pass(offered, { why: `${why || NOTHING_CHANGED}, and the gate refused it here: ${refused}`, verdicts });
  if (unproven !== undefined) return pass(offered, { why: `${why}, and ${unproven}`, verdicts });
  const { step, readings, adopted } = offered;
  await commitAdopted(opened, { step, readings, workbench, ...adopted });
  return { kind: "done", run: state.run };
}

const NOTHING_CHANGED = "nothing that it depends on changed";

const ranOutOfTime = ({ syntax, tests, command }: Verdict): boolean =>
  [syntax, tests, command].some((check) => check?.reason === NO_TIME_LEFT);

/** What changed may matter to the code: only code that was run is kept all the same. */
function whyUnproven(acceptance: Acceptance | undefined): string | undefined {
  const { unchecked = [], verdict } = acceptance ?? {};
  if (unchecked.length > 0) return `not all of it can be checked here (${unchecked.join("; ")})`;
  const hasPassed = verdict?.tests.status === "passed" || verdict?.command?.status === "passed";
  return hasPassed ? undefined : "no check ran its code here";
}

/** The instruction is executed from its beginning. What the gate found is kept for a replay. */
async function pass(
  { opened: { world, state }, passed }: OpenOffer,
  { why, verdicts = [] }: { why: string; verdicts?: Verdict[] },
): Promise<StepResult> {
  state.tree.discard();
  const tried = await storeTried(world, state, verdicts);
  const { run, set, events } = passed(why);
  const executed = await world.registry.commit(state.run, {
    ...defined({ run }),
    ...(tried || set ? { instruction: { number: state.number, set: { ...set, ...defined({ tried }) } } } : {}),
    events,
  });
  return { kind: "done", run: executed };
}

/** After those of another source that was tried before. */
async function storeTried(
  { files }: World,
  { run, number, instruction }: OpenStep["state"],
  found: Verdict[],
): Promise<Instruction["tried"]> {
  if (found.length === 0) return undefined;
  const before = instruction?.tried;
  const { verdicts } = before
    ? await readBody(files, { key: before.body, hash: before.sha256 }, TRIED)
    : { verdicts: [] };
  const { bytes, hash } = bodyOf(TRIED, { verdicts: [...verdicts, ...found] });
  const body = fileStoreKeys(run.id).tried(number, before ? hash.slice(0, HASH_CHARS) : run.attempt);
  await files.put(body, bytes);
  return { body, sha256: hash };
}

const HASH_CHARS = 16;
