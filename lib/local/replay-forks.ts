/** A run that was forked with another program or other prompts is replayed in parts, each with those that it had. */
import { putTask, readTaskDocument } from "../control/program/stored-task.ts";
import type { Recording } from "../control/turn/recording.ts";
import type { World } from "../control/world.ts";
import type { Draft } from "../core/program/program.ts";
import type { PromptPack } from "../core/prompt/prompt.ts";
import { type ForkPoint, readForkPoint } from "../core/run/forks/fork-point.ts";
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
  const { fork, program, pack } = part;
  await putTask(files, runId, { ...(await readTaskDocument(files, runId)), pack });
  if (fork.instruction < program.instructions.length)
    await registry.storeProgram(run, program, { from: fork.instruction + 1 });
  await registry.beginEpoch(run, {
    ...{ status: "running", instructions: program.instructions.length },
    ...(fork.turn === undefined ? {} : { forgivenTurn: run.turn }),
    remove: ["endedAt", "reason", "detail", "smoke", "outputDigest"],
  });
}
