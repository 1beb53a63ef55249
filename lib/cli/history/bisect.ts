/** `l2mac bisect RUN -- CMD…`: the first instruction after which a command fails, found without a model. */
import { UserError } from "../../core/errors.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { Run } from "../../core/run/run.ts";
import { quoted } from "../../core/text/command-line.ts";
import { pluralize, shortId } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { because, commandWords } from "../../core/verdict/verdict-words.ts";
import type { Arguments, Command } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { textLines } from "../inspect/text-lines.ts";
import { type Connection, connect } from "../runs/connection.ts";
import { findRun, refuseNotAccepted } from "../runs/find-run.ts";
import { BAD, GOOD } from "../settings/command-flags.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";
import { usage } from "../settings/parse.ts";
import { wholeNumber } from "../settings/read-value.ts";
import { type Failure, findFailure, type Outcome } from "./find-failure.ts";
import { openTrials, type StepTrials, type Trial } from "./try-command.ts";

const NOTHING_FOUND = 1;

export const bisect: Command = async (given, shell) => {
  const argv = given.rest ?? [];
  if (argv.length === 0) throw usage({ name: "bisect" }, "bisect needs a command: bisect [run] -- npm test.");
  const [good, bad] = [instructionOf(given, GOOD.name), instructionOf(given, BAD.name)];
  const connection = await connect(given, shell);
  const run = await findRun(connection, given.words[0]);
  const last = bad ?? run.packed;
  refuseNotAccepted(run, bad, connection);
  if (last < 1) throw noSteps(run, connection);
  if (good !== undefined && good >= last) throw usage({ name: "bisect" }, `--good must be below ${last}.`);
  const trials = await openTrials({ run, connection, argv, flags: given.flags }, shell);
  const json = given.flags.has(JSON_OUTPUT.name);
  const checks = createChecks(trials, (line) => shell.say(sanitizeLine(line)));
  shell.say(
    sanitizeLine(`Run ${shortId(run.id)} (${run.name}), instructions 1 to ${last}: ${argv.map(quoted).join(" ")}`),
  );
  try {
    const failure = await findFailure({ last, good, check: checks.check });
    const { instructions } = await connection.program(run.id);
    if (json) shell.out(`${JSON.stringify(inJson(run, failure, { checks, instructions }))}\n`);
    else showFailure(failure, { run, connection, instructions, checks, shell, last });
    return failure.kind === "found" ? 0 : NOTHING_FOUND;
  } finally {
    await trials.close();
    connection.close();
  }
};

function instructionOf({ flags }: Arguments, name: string): number | undefined {
  const text = flags.get(name);
  if (text === undefined) return undefined;
  const read = wholeNumber(0)(text);
  if ("value" in read) return read.value;
  throw usage({ name: "bisect" }, `${name} takes the number of an instruction; "${text}" is none.`);
}

const noSteps = (run: Run, { remoteFlag }: Connection): UserError =>
  new UserError(`Run ${shortId(run.id)} has accepted no instruction yet, so there is nothing to search.`, {
    exitCode: 2,
    remedy: { command: "status", args: [shortId(run.id), ...remoteFlag] },
  });

interface Checks {
  check(at: number): Promise<Outcome>;
  /** In the order in which they were made. */
  made: Map<number, { outcome: Outcome; trial: Trial }>;
}

/** Each instruction is tried once. */
function createChecks(trials: StepTrials, say: (line: string) => void): Checks {
  const made: Checks["made"] = new Map();
  return {
    made,
    async check(at) {
      const known = made.get(at);
      if (known) return known.outcome;
      const trial = await trials.try(at);
      const outcome = outcomeOf(trial);
      made.set(at, { outcome, trial });
      const words = trial.command ? commandWords(trial.command) : `not run${because(trial.verdict.syntax)}`;
      say(`  ${at === 0 ? "at the start" : `after ${at}`}: ${OUTCOMES[outcome]} (${words})`);
      return outcome;
    },
  };
}

const OUTCOMES: Record<Outcome, string> = { passes: "passes", fails: "fails", unknown: "cannot be checked" };

/** As `git bisect run` reads it. */
const SKIP = 125;

function outcomeOf({ command }: Trial): Outcome {
  if (!command || command.status === "not_run" || command.exitCode === SKIP) return "unknown";
  return command.status === "passed" ? "passes" : "fails";
}

interface Showing {
  run: Run;
  connection: Connection;
  instructions: Instruction[];
  checks: Checks;
  shell: Shell;
  last: number;
}

function showFailure(failure: Failure, { run, connection, instructions, checks, shell, last }: Showing): void {
  const count = pluralize(checks.made.size, "check");
  if (failure.kind !== "found") {
    shell.say(`${nothing(failure.kind, last)} (${count}).`);
    return;
  }
  const { first, among } = failure;
  showOutput(checks.made.get(first)?.trial, shell);
  const titles = among.map(
    (number) => `${number}  ${instructions.find((each) => each.number === number)?.title ?? ""}`,
  );
  shell.say(
    among.length === 1
      ? `The first instruction after which it fails (${count}):`
      : `It fails from one of these instructions on; the others could not be checked (${count}):`,
  );
  for (const title of titles) shell.out(`${sanitizeLine(title)}\n`);
  const words = [run.name, ...connection.remoteFlag];
  shell.say(`Next: ${shell.command("diff", ...words, "--at", String(first))}`);
  shell.say(`  or: ${shell.command("show", run.name, String(first), ...connection.remoteFlag)}`);
}

const nothing = (kind: Exclude<Failure["kind"], "found">, last: number): string =>
  ({
    passes_at_end: `It passes after instruction ${last}, so there is no failure to find`,
    unknown_at_end: `It cannot be checked after instruction ${last}`,
    never_passes: "It passes nowhere before, so no instruction broke it; --good N names one after which it passed",
  })[kind];

const SHOWN_LINES = 12;

function showOutput(trial: Trial | undefined, shell: Shell): void {
  const { stdout = "", stderr = "" } = trial?.command ?? {};
  for (const text of [stdout, stderr])
    if (text.trim() !== "")
      for (const line of textLines(text, undefined).slice(-SHOWN_LINES)) shell.say(`    ${sanitizeLine(line)}`);
}

const inJson = (run: Run, failure: Failure, { checks, instructions }: Pick<Showing, "checks" | "instructions">) => ({
  run: run.id,
  result: failure.kind,
  ...(failure.kind === "found"
    ? {
        first: failure.first,
        passes: failure.good,
        among: failure.among,
        title: instructions.find(({ number }) => number === failure.first)?.title ?? null,
        requirements: instructions.find(({ number }) => number === failure.first)?.requirements ?? [],
      }
    : {}),
  checks: [...checks.made].map(([at, { outcome, trial }]) => ({
    at,
    outcome,
    exitCode: trial.command?.exitCode ?? null,
  })),
});
