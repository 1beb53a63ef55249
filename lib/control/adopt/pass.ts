/** Passes over a step that is not adopted: the tree is as it was, and its source records why. */
import { defined } from "../../core/defined.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import type { StepResult } from "../step-result.ts";
import { TRIED } from "../turn/body-kinds.ts";
import { bodyOf, readBody } from "../turn/journal.ts";
import type { OpenStep } from "../turn/open-step.ts";
import type { World } from "../world.ts";
import type { OpenOffer } from "./step-source.ts";

/** The instruction is executed from its beginning. What the gate found is kept for a replay. */
export async function pass(
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
