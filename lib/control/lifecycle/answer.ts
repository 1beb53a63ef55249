/** A person's answer to the question that a run waits for. */
import { UserError } from "../../core/errors.ts";
import type { Instruction } from "../../core/program/program.ts";
import { waitsForAnswer } from "../../core/program/question.ts";
import { answerFile, type GivenAnswer, readReply } from "../../core/program/reply.ts";
import type { Run } from "../../core/run/run.ts";
import { headAndTail } from "../../core/text/cut.ts";
import { maskSecrets } from "../../core/text/secrets.ts";
import { fileStoreKeys, instructionKey } from "../../registry/keys.ts";
import { sha256 } from "../files/digest.ts";
import { layAnswer } from "../files/lay-answer.ts";
import { damagedItem } from "../files/verified-read.ts";
import type { RunStores } from "../program/stored-program.ts";
import { type AnsweredRun, remedy, repeatedAnswer } from "./repeated-answer.ts";
import { updateRun } from "./resume-and-cancel.ts";

/** The answer is stored first, then the epoch begins that saves it: one of two answers wins. The caller starts the execution. */
export const answerQuestion = (place: RunStores, runId: string, given: GivenAnswer): Promise<AnsweredRun> =>
  updateRun(place, runId, async (run) => {
    const { question } = run;
    const isOpen = waitsForAnswer(run) && !run.cancelRequested && question !== undefined;
    if (!isOpen || (given.step ?? question.step) !== question.step) return repeatedAnswer(place, run, given);
    const instruction = await place.registry.instruction(run.id, question.step);
    if (!instruction) throw damagedItem(instructionKey(run.id, question.step));
    const { text, content } = contentOf(run, instruction, given);
    await throwIfNotSaved(place, run, { instruction, content });
    const answer = { step: question.step, sha256: sha256(content) };
    await place.files.putOnce(fileStoreKeys(run.id).blob(answer.sha256), content);
    const { number, title } = instruction;
    const shown = headAndTail(maskSecrets(text.trim()), ANSWER_SHOWN);
    const begun = await place.registry.beginEpoch(
      run,
      { status: "running", answer, failures: 0, remove: ["reason", "detail"] },
      [{ type: "answered", instruction: number, title, answer: shown }],
    );
    return begun && { run: begun, isNew: true };
  });

/** In an event. */
const ANSWER_SHOWN = 1_000;

function contentOf(run: Run, instruction: Instruction, given: GivenAnswer): { text: string; content: Uint8Array } {
  const read = readReply(given, instruction);
  if ("text" in read) return { ...read, content: answerFile(read.text) };
  throw new UserError(`${read.problem} Run ${run.id} still waits.`, { ...remedy("answer", run), field: read.field });
}

async function throwIfNotSaved(
  place: RunStores,
  run: Run,
  { instruction: { saveTo: path = "" }, content }: { instruction: Instruction; content: Uint8Array },
): Promise<void> {
  const laid = await layAnswer(place, run, { path, content });
  if ("problem" in laid)
    throw new UserError(
      `The answer cannot be saved: ${laid.problem} Run ${run.id} still waits.`,
      remedy("cancel", run),
    );
}
