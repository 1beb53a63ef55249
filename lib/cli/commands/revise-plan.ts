/** `l2mac plan RUN --feedback "…"`: the model revises a program that waits for approval; then it waits again. */
import { UserError } from "../../core/errors.ts";
import { FEEDBACK_CHARS } from "../../core/limits.ts";
import { type Draft, draftOf } from "../../core/program/program.ts";
import { renderProgramMarkdown } from "../../core/program/program-text.ts";
import { nextCommands } from "../../core/run/ending-words.ts";
import { Feedback } from "../../core/run/hint.ts";
import { waitsForApproval } from "../../core/run/run.ts";
import { money } from "../../core/text/format.ts";
import { lineDifference } from "../../core/text/line-difference.ts";
import { sanitize } from "../../core/text/sanitize.ts";
import type { Arguments, Command } from "../command.ts";
import { nextLines } from "../display/ending.ts";
import type { Shell } from "../display/shell.ts";
import { showProgram } from "../display/show-program.ts";
import { computeShown } from "../runs/compute.ts";
import { openComputer } from "../runs/connection.ts";
import { pickRun, WAITING } from "../runs/pick-run.ts";
import { FEEDBACK, PLAN_OUT } from "../settings/command-flags.ts";
import { JSON_OUTPUT, QUIET } from "../settings/flags.ts";
import { settingsSaid } from "../settings/settings.ts";
import { notPlanned } from "./plan.ts";

export const revisePlan: Command = async (given, shell) => {
  const { words, flags } = given;
  const feedback = readFeedback(flags.get(FEEDBACK.name) ?? "");
  refuseOthers(given);
  const computer = await openComputer(given, shell, settingsSaid({ ...shell, flags }));
  const found = await pickRun(computer, words[0], { name: "plan", ...WAITING });
  const before = draftOf(await computer.program(found.id));
  const run = await computer.revise(found, feedback);
  const quiet = flags.has(QUIET.name);
  const revised = await computeShown({ shell, computer, run, json: false, quiet, after: found.events });
  if (!waitsForApproval(revised)) return notPlanned(shell, computer, revised);
  const after = draftOf(await computer.program(revised.id));
  await show(shell, { before, after, flags });
  shell.say(`Cost: ${money(revised.microUsd - found.microUsd)}.`);
  for (const line of nextLines(nextCommands(revised, computer), shell.launcher)) shell.say(line);
  return 0;
};

interface Programs {
  before: Draft;
  after: Draft;
  flags: Arguments["flags"];
}

/** The difference; the whole program only where it was asked for. */
async function show(shell: Shell, { before, after, flags }: Programs): Promise<void> {
  const file = flags.get(PLAN_OUT.name);
  const json = flags.has(JSON_OUTPUT.name);
  if (json || file !== undefined) await showProgram(shell, after, { json, file });
  if (json) return;
  const difference = lineDifference(renderProgramMarkdown(before), renderProgramMarkdown(after));
  if (difference === "") shell.say("The program is the same as before.");
  else shell.out(shell.resultOnTerminal ? sanitize(difference) : difference);
}

function readFeedback(text: string): string {
  const feedback = Feedback.safeParse(text);
  if (feedback.success) return feedback.data;
  const length = text.trim().length;
  const problem = `${FEEDBACK.name} takes a text of at most ${FEEDBACK_CHARS} characters; this one has ${length === 0 ? "none" : length}.`;
  throw new UserError(problem, { exitCode: 2, remedy: { command: "help", args: ["plan"] } });
}

const WITH_FEEDBACK = [FEEDBACK, PLAN_OUT, JSON_OUTPUT, QUIET].map(({ name }) => name);
const OF_COMPUTER = ["--remote", "--base-url", "--unsealed"];

/** A run keeps its task and its options. */
function refuseOthers({ flags }: Arguments): void {
  const other = [...flags.keys()].find((flag) => ![...WITH_FEEDBACK, ...OF_COMPUTER].includes(flag));
  if (other === undefined) return;
  throw new UserError(`${other} is for a new run: ${FEEDBACK.name} revises the program of one that waits.`, {
    exitCode: 2,
    remedy: { command: "help", args: ["plan"] },
  });
}
