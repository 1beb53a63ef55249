/** A run that was forked with another program or other prompts is replayed in parts, each with those that it had. */
import { restOf } from "../control/fork/walk-at.ts";
import { putReplacement } from "../control/program/stored-program.ts";
import { putTask, readTaskDocument } from "../control/program/stored-task.ts";
import type { Recording } from "../control/turn/recording.ts";
import type { World } from "../control/world.ts";
import type { Draft } from "../core/program/program.ts";
import type { PromptPack } from "../core/prompt/prompt.ts";
import { type ForkPoint, readForkPoint } from "../core/run/forks/fork-point.ts";
import type { Run } from "../core/run/run.ts";
import type { TaskDocument } from "../core/run/task.ts";

export interface ReplayPart {
  /** Where it begins. */
  fork: ForkPoint;
  program: Draft;
  pack: PromptPack;
}

/** `program`: the last one. `instead`: prompts that replace the run's own in every part. */
export function partsOf(
  { forks = [], pack }: TaskDocument,
  program: Draft,
  instead?: PromptPack,
): [ReplayPart, ...ReplayPart[]] {
  const changing = forks.filter((fork) => fork.program || fork.pack);
  const at = (from: number) => {
    const later = changing.slice(from);
    return {
      program: later.find((fork) => fork.program)?.program ?? program,
      pack: instead ?? later.find((fork) => fork.pack)?.pack ?? pack,
    };
  };
  const parts = changing.map(({ at: point }, index) => ({
    ...at(index + 1),
    fork: readForkPoint(point) ?? START,
  }));
  return [{ ...at(0), fork: START }, ...parts];
}

const START: ForkPoint = { instruction: 0 };

/** What the fork changed, done to the scratch copy, which has ended for want of answers or because its program was done. */
export async function forkAgain(
  scratch: World,
  { runId, part, recording }: { runId: string; part: ReplayPart; recording: Recording },
): Promise<void> {
  const { registry, files } = scratch;
  recording.passFork();
  const run = await registry.run(runId);
  if (!run) return;
  const { fork, pack } = part;
  await putTask(files, runId, { ...(await readTaskDocument(files, runId)), pack });
  await registry.beginEpoch(run, {
    status: "running",
    ...(await goOnFrom(scratch, run, part)),
    ...(fork.turn === undefined ? {} : { forgivenTurn: run.turn }),
    remove: ["endedAt", "reason", "detail", "smoke", "outputDigest", "question"],
  });
}

/** The other program may have come to a step after the fork before its journal ended. */
async function goOnFrom({ registry, files }: World, run: Run, { fork, program }: ReplayPart): Promise<Partial<Run>> {
  const { walk } = run;
  if (!walk) {
    if (fork.instruction < program.instructions.length)
      await registry.storeProgram(run, program, { from: fork.instruction + 1 });
    return { instructions: program.instructions.length };
  }
  const steps = await registry.instructions(run.id);
  const frames = steps[fork.instruction - 1]?.frames ?? walk.frames;
  const rest = restOf(steps, { done: fork.instruction, frames, isOpen: false });
  const [part] = rest;
  const { requirements } = program;
  const instructions = [...steps.slice(0, fork.instruction), ...rest];
  await registry.storeProgram(
    run,
    { instructions, requirements },
    { from: fork.instruction + 1, place: part ? { frames, isPart: true } : {} },
  );
  return {
    instructions: instructions.length,
    walk: { program: await putReplacement(files, run.id, program), frames: [...frames], hasStep: true },
  };
}
