/** `l2mac plan`: writes the program, or revises it, and has it wait: to be read, changed, approved or rejected. */
import { existsSync, lstatSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type NextCommand, UserError } from "../../core/errors.ts";
import { draftOf } from "../../core/program/program.ts";
import { nextCommands, type RunPlace } from "../../core/run/ending-words.ts";
import { exitCodeOf } from "../../core/run/exit-codes.ts";
import { isEnded, type Run, waitsForApproval } from "../../core/run/run.ts";
import { quoted } from "../../core/text/command-line.ts";
import { money, shortId } from "../../core/text/format.ts";
import type { Arguments, Command } from "../command.ts";
import { endingLines, leavingLines, nextLines } from "../display/ending.ts";
import type { Shell } from "../display/shell.ts";
import { showProgram } from "../display/show-program.ts";
import { exitCodeOfSignal } from "../display/signals.ts";
import { sayWrapped } from "../display/wrap.ts";
import { isThere } from "../display/write-new-file.ts";
import { announced } from "../runs/announced.ts";
import { computeShown } from "../runs/compute.ts";
import { type Computer, openComputer } from "../runs/connection.ts";
import { submitTask } from "../runs/submit-task.ts";
import { FEEDBACK, LINT } from "../settings/command-flags.ts";
import { JSON_OUTPUT, QUIET } from "../settings/flags.ts";
import { settingsOfNewRun } from "../settings/settings.ts";

export const plan: Command = async (given, shell) => {
  const file = given.flags.get("--out");
  refuseExisting(file, shell);
  if (given.flags.has(LINT.name)) return (await import("../programs/lint-program.ts")).lintProgramFile(given, shell);
  if (given.flags.has(FEEDBACK.name)) return (await import("./revise-plan.ts")).revisePlan(given, shell);
  const asked = forApproval(given);
  const settings = settingsOfNewRun({ ...shell, flags: asked.flags });
  const quiet = given.flags.has(QUIET.name);
  const computer = await openComputer(asked, shell, settings);
  const { run } = await submitTask(computer, { given: asked, shell, settings });
  if (!quiet) sayWrapped(shell, await announced(computer, run, { settings, env: shell.env }));
  const planned = await computeShown({ shell, computer, run, json: false, quiet, after: 0 });
  if (!waitsForApproval(planned)) return notPlanned(shell, computer, planned);
  await showProgram(shell, draftOf(await computer.program(planned.id)), {
    json: given.flags.has(JSON_OUTPUT.name),
    file,
  });
  shell.say(`Cost: ${money(planned.microUsd)}.`);
  for (const line of nextLines(nextOf(planned, { file, place: computer }), shell.launcher)) shell.say(line);
  return 0;
};

const nextOf = (run: Run, { file, place }: { file: string | undefined; place: RunPlace }): NextCommand[] =>
  file === undefined
    ? nextCommands(run, place)
    : [
        {
          command: "approve",
          args: [shortId(run.id), "--program", file, ...place.remoteFlag],
          note: "as it is, or changed",
        },
      ];

/** The same as a run that waits for approval; what it makes then goes where a run's files go. */
function forApproval({ words, flags }: Arguments): Arguments {
  const asked = new Map([...flags, ["--approve", "plan"] as const]);
  asked.delete("--out");
  return { words, flags: asked };
}

export function notPlanned(shell: Shell, computer: Computer, run: Run): number {
  const signal = shell.signals.received();
  const interrupted = signal !== undefined && !isEnded(run.status);
  const { launcher } = shell;
  const leaves = interrupted && computer.elsewhere;
  const lines = leaves
    ? leavingLines(run, computer, launcher)
    : endingLines(run, { files: 0, untouched: [] }, { place: computer, launcher });
  for (const line of lines) shell.say(line);
  return interrupted ? exitCodeOfSignal(signal) : exitCodeOf(run);
}

function refuseExisting(file: string | undefined, { cwd }: Shell): void {
  if (file === undefined) return;
  const path = resolve(cwd, file);
  if (!existsSync(dirname(path))) {
    throw new UserError(`The folder of --out ${file} is not there.`, {
      exitCode: 2,
      remedy: `mkdir -p ${quoted(dirname(path))}`,
    });
  }
  // Also an empty folder, or a link to nothing.
  if (lstatSync(path, { throwIfNoEntry: false })) throw isThere(file);
}
