/** Computes a run again on a scratch copy, with what people decided where its journal shows it. */
import { answerQuestion } from "../control/lifecycle/answer.ts";
import { approve } from "../control/lifecycle/approval.ts";
import { resume } from "../control/lifecycle/resume-and-cancel.ts";
import { revise } from "../control/lifecycle/revise.ts";
import { storedProgram } from "../control/program/stored-program.ts";
import type { Recording } from "../control/turn/recording.ts";
import type { World } from "../control/world.ts";
import { UserError } from "../core/errors.ts";
import type { Draft } from "../core/program/program.ts";
import { waitsForAnswer } from "../core/program/question.ts";
import { waitsForApproval } from "../core/run/run.ts";
import type { ComputeEpochs } from "./compute.ts";

interface Playing {
  compute: ComputeEpochs;
  runId: string;
  /** That was executed, planned or given. */
  program: Draft;
  recording: Recording;
  signal: AbortSignal;
}

/** A run that was approved, or stuck and resumed, is approved and resumed here too, until its journal is played. */
export async function playJournal(scratch: World, playing: Playing): Promise<void> {
  const { compute, runId, program, recording, signal } = playing;
  const { unplayed } = recording;
  for (let before = Number.POSITIVE_INFINITY; unplayed() < before && !signal.aborted; ) {
    before = unplayed();
    await compute(scratch, runId, { signal });
    await reviseAgain(scratch, playing);
    let run = await scratch.registry.run(runId);
    if (run && waitsForApproval(run) && unplayed() > 0 && !signal.aborted) {
      // The tree that waits is approved with its place, where it begins inside of it.
      const waiting = run.walk && (await storedProgram(scratch, run));
      const isSame = waiting?.tree !== undefined && JSON.stringify(program.tree) === JSON.stringify(waiting.tree);
      await approve(scratch, runId, isSame ? undefined : program);
      await compute(scratch, runId, { signal });
    }
    run = await answerAgain(scratch, playing);
    if (unplayed() === 0 || run?.status === "completed" || signal.aborted) return;
    await resume(scratch, runId, {}).catch((error: unknown) => {
      if (!(error instanceof UserError)) throw error;
    });
  }
}

/** Each question gets the answer that the journal has. Answers the run as it is then. */
async function answerAgain(scratch: World, { compute, runId, recording, signal }: Playing) {
  for (;;) {
    const run = await scratch.registry.run(runId);
    const step = run && waitsForAnswer(run) ? run.question?.step : undefined;
    const text = step === undefined ? undefined : recording.answerTo(step);
    if (step === undefined || text === undefined || signal.aborted) return run;
    await answerQuestion(scratch, runId, { step, text });
    await compute(scratch, runId, { signal });
  }
}

/** As often as it was asked for before the program was approved. */
async function reviseAgain(scratch: World, { compute, runId, recording, signal }: Playing): Promise<void> {
  for (let before = Number.POSITIVE_INFINITY; recording.left() < before && !signal.aborted; ) {
    before = recording.left();
    const feedback = recording.nextFeedback();
    const run = await scratch.registry.run(runId);
    if (feedback === undefined || !run || !waitsForApproval(run)) return;
    await revise(scratch, runId, feedback);
    await compute(scratch, runId, { signal });
  }
}
