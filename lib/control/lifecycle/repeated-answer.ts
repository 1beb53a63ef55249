/** An answer where no question is open: the same again, or why it is not taken. */
import { UserError } from "../../core/errors.ts";
import { waitsForAnswer } from "../../core/program/question.ts";
import { answerFile, type GivenAnswer, readReply } from "../../core/program/reply.ts";
import { isEnded, type Run, statusText, waitsForApproval } from "../../core/run/run.ts";
import { oneLine } from "../../core/text/cut.ts";
import { maskSecrets } from "../../core/text/secrets.ts";
import { sha256 } from "../files/digest.ts";
import { readBlob } from "../files/verified-read.ts";
import type { RunStores } from "../program/stored-program.ts";

/** `isNew`: its epoch begins with it. Otherwise the same answer was there already. */
export interface AnsweredRun {
  run: Run;
  isNew: boolean;
}

/** What was answered is answered again without an effect; another answer is refused with the one that is there. */
export async function repeatedAnswer(place: RunStores, run: Run, given: GivenAnswer): Promise<AnsweredRun> {
  const step = given.step ?? run.question?.step ?? run.answer?.step;
  const instruction = step === undefined ? undefined : await place.registry.instruction(run.id, step);
  if (instruction?.kind !== "ask") throw noQuestion(run, step);
  const stored = instruction.answer ?? (run.answer?.step === step ? run.answer?.sha256 : undefined);
  if (stored === undefined) throw withoutAnswer(run);
  const read = readReply(given, instruction);
  if ("text" in read && sha256(answerFile(read.text)) === stored) return { run, isNew: false };
  const was = new TextDecoder().decode(await readBlob(place.files, run.id, stored));
  throw new UserError(
    `Instruction ${step} of run ${run.id} was answered already: ${oneLine(maskSecrets(was), WAS_SHOWN)}`,
    remedy(isEnded(run.status) ? "status" : "watch", run),
  );
}

const WAS_SHOWN = 200;

function noQuestion(run: Run, step: number | undefined): UserError {
  if (run.question && waitsForAnswer(run))
    return new UserError(`Instruction ${step} of run ${run.id} asks nothing; instruction ${run.question.step} does.`, {
      ...remedy("answer", run),
      field: "step",
    });
  const next = isEnded(run.status) ? "status" : waitsForApproval(run) ? "approve" : "watch";
  return new UserError(`Run ${run.id} waits for no answer: it is ${statusText(run)}.`, remedy(next, run));
}

function withoutAnswer(run: Run): UserError {
  if (run.cancelRequested) return new UserError(`Run ${run.id} is being cancelled.`, remedy("cancel", run));
  const problem = `Run ${run.id} is ${statusText(run)}, and its question has no answer. Once resumed it asks again.`;
  return new UserError(problem, remedy("resume", run));
}

export const remedy = (command: string, { id }: Run) => ({ exitCode: 2 as const, remedy: { command, args: [id] } });
