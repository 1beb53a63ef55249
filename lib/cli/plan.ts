/** `l2mac plan`: writes the program without executing it, in the form in which people read and change it. */
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { UserError } from "../core/errors.ts";
import type { Draft } from "../core/program.ts";
import { renderProgramMarkdown } from "../core/program-text.ts";
import { exitCodeOf, type Run } from "../core/run.ts";
import { isOccupied } from "../local/delivery.ts";
import type { LocalMachine } from "../local/open.ts";
import type { Command } from "./commands.ts";
import { computeFollowed } from "./compute.ts";
import { endingLines } from "./ending.ts";
import { JSON_OUTPUT } from "./flags.ts";
import { openLocalComputer } from "./local-computer.ts";
import { PLAN_ONLY_HERE } from "./only-here.ts";
import type { Arguments } from "./parse.ts";
import { plainLines } from "./plain-text.ts";
import { refuseElsewhere } from "./remote-address.ts";
import type { Showing } from "./runs.ts";
import { readSettings } from "./settings.ts";
import type { Shell } from "./shell.ts";
import { exitCodeOfSignal } from "./signals.ts";
import { prepareRun } from "./submission.ts";
import { money, quoted } from "./words.ts";

export const plan: Command = async (given, shell) => {
  refuseElsewhere(shell, PLAN_ONLY_HERE);
  await refuseExisting(given, shell);
  const settings = readSettings({ ...shell, flags: given.flags });
  const { computer, machine, shown } = await openLocalComputer(shell, settings);
  const { submission, notices } = await prepareRun({ given, shell, settings, machine, delivers: false });
  for (const notice of notices) shell.say(notice);
  const run = await machine.submit(submission);
  shell.say(computer.announcement(run));
  const compute = (showing: Showing): Promise<Run> =>
    shown(run.id, showing, (signal) => machine.planOnly(run.id, signal));
  const planned = await computeFollowed({ shell, runs: computer, run, json: false, after: 0, compute });
  if (planned.status !== "completed") return notPlanned(shell, planned);
  const program = await programOf(machine, planned);
  await write(given, shell, program);
  shell.say(`Cost: ${money(planned.microUsd)}.`);
  shell.say(`Next: l2mac run --program ${programArgument(given)} ${taskArgument(given)}`);
  return 0;
};

function notPlanned(shell: Shell, run: Run): number {
  for (const line of endingLines(run, { files: 0, untouched: [] })) shell.say(line);
  const signal = shell.signals.received();
  return run.status === "waiting" && signal ? exitCodeOfSignal(signal) : exitCodeOf(run);
}

async function programOf({ registry }: LocalMachine, { id }: Run): Promise<Draft> {
  const [instructions, requirements] = await Promise.all([registry.instructions(id), registry.requirements(id)]);
  return {
    instructions: instructions.map(({ title, text, requirements: served }) => ({ title, text, requirements: served })),
    requirements,
  };
}

async function refuseExisting({ flags }: Arguments, { cwd }: Shell): Promise<void> {
  const out = flags.get("--out");
  if (out === undefined || !(await isOccupied(resolve(cwd, out)))) return;
  throw new UserError(`--out ${out} is there already.`, { exitCode: 2, remedy: "Give --out the name of a new file." });
}

async function write({ flags }: Arguments, shell: Shell, program: Draft): Promise<void> {
  const out = flags.get("--out");
  const asJson = flags.has(JSON_OUTPUT.name) || out?.endsWith(".json") === true;
  const text = asJson ? `${JSON.stringify(program, null, 2)}\n` : renderProgramMarkdown(program);
  if (out !== undefined) await writeFile(resolve(shell.cwd, out), text, { flag: "wx" });
  else shell.out(shell.resultOnTerminal ? plainLines(text) : text);
}

const programArgument = ({ flags }: Arguments): string => {
  const out = flags.get("--out");
  return out === undefined ? "FILE" : quoted(out);
};

function taskArgument({ words: [task], flags }: Arguments): string {
  const spec = flags.get("--spec");
  if (spec !== undefined && spec !== "-") return `--spec ${quoted(spec)}`;
  if (task === undefined) return flags.has("--rehearse") ? "--rehearse" : "--spec FILE";
  return task.length <= 60 ? quoted(task) : "--spec FILE";
}
