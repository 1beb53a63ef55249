/** `l2mac answer`: answers the question that a run waits for, or shows it. */
import { UserError } from "../../core/errors.ts";
import { waitsForAnswer } from "../../core/program/question.ts";
import type { Reply } from "../../core/program/reply.ts";

import { shortId } from "../../core/text/format.ts";
import type { Arguments, Command } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { connect } from "../runs/connection.ts";
import { continueRun } from "../runs/continue-run.ts";
import { pickRun, type RunChoice } from "../runs/pick-run.ts";
import { textOf } from "../runs/task-text.ts";
import { CHOICE, FILE } from "../settings/command-flags.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";
import { askInTerminal } from "./ask-in-terminal.ts";
import { openQuestion, questionLines } from "./show-question.ts";

export const answer: Command = async (given, shell) => {
  const reply = await replyIn(given, shell);
  if (reply) return answerWith(reply, given, shell);
  const connection = await connect(given, shell);
  const run = await pickRun(connection, given.words[0], ASKING);
  const asking = await openQuestion(connection, run);
  connection.close();
  if (given.flags.has(JSON_OUTPUT.name)) {
    const { number: step, title, text, choices, saveTo } = asking;
    shell.out(`${JSON.stringify({ run: run.id, step, title, question: text, choices, saveTo })}\n`);
    return 0;
  }
  const typed = await askInTerminal(shell, asking);
  if (typed) return answerWith(typed, { ...given, words: [run.id] }, shell);
  shell.out(`${questionLines(asking).join("\n")}\n`);
  const how = asking.choices ? [CHOICE.name, "<number>"] : ["<text>"];
  shell.say(`Next: ${shell.command("answer", shortId(run.id), ...how, ...connection.remoteFlag)}`);
  return 0;
};

const ASKING: RunChoice = {
  name: "answer",
  among: [{ includes: waitsForAnswer, what: "wait for an answer" }],
  none: "No run waits for an answer.",
};

/** With the step that asks now: an answer that is given twice is one answer. */
const answerWith = (reply: Reply, given: Arguments, shell: Shell): Promise<number> =>
  continueRun({
    given,
    shell,
    choice: ASKING,
    begin: (computer, run) => computer.answer(run, { ...reply, ...(run.question ? { step: run.question.step } : {}) }),
  });

/** Undefined: none is given. */
async function replyIn({ words, flags }: Arguments, shell: Shell): Promise<Reply | undefined> {
  const [, text] = words;
  const [file, choice] = [flags.get(FILE.name), flags.get(CHOICE.name)];
  const given = [text, file, choice].filter((each) => each !== undefined);
  if (given.length > 1) throw usage(`Give one answer: a text, ${FILE.name} or ${CHOICE.name}.`);
  if (file !== undefined) return { text: await textOf({ flag: FILE.name, path: file, what: "answer" }, shell) };
  if (choice === undefined) return text === undefined ? undefined : { text };
  if (!/^\d{1,2}$/.test(choice)) throw usage(`${CHOICE.name} takes the number of a choice, from 1.`);
  return { choice: Number(choice) };
}

const usage = (problem: string): UserError =>
  new UserError(problem, { exitCode: 2, remedy: { command: "help", args: ["answer"] } });
