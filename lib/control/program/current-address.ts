/** Where a run is, as a compiled state machine recognises it. Read from the registry, which is the only truth. */
import type { HandlerAnswer } from "../../core/program/advance.ts";
import { addressAt, addressInList } from "../../core/program/machine/address.ts";
import { waitsForAnswer } from "../../core/program/question.ts";
import type { Run } from "../../core/run/run.ts";
import { sha256 } from "../files/digest.ts";
import type { World } from "../world.ts";
import { readProgramTree } from "./stored-program.ts";

/** Empty where no instruction is next. */
export async function currentAddress({ registry, files }: World, run: Run): Promise<string> {
  const { walk } = run;
  if (walk?.ended) return "";
  if (walk) {
    const program = await readProgramTree(files, run.id, walk.program);
    return addressAt(program, walk.frames, { sha256, isStep: walk.hasStep === true });
  }
  if (run.pc < 1 || run.pc > run.instructions) return "";
  const instruction = await registry.instruction(run.id, run.pc);
  return instruction ? addressInList(instruction, run.instructions - run.pc, sha256) : "";
}

/** A machine that says where it is hears where the run is. */
export async function withAddress(
  world: World,
  { runId, at }: { runId: string; at?: string },
  answer: HandlerAnswer,
): Promise<HandlerAnswer> {
  if (at === undefined || answer.next === "deliver") return answer;
  const run = await world.registry.run(runId);
  // A run that stops is nowhere, unless it waits for an answer.
  if (!run || (answer.next === "stop" && !waitsForAnswer(run))) return answer;
  return { ...answer, at: await currentAddress(world, run) };
}
