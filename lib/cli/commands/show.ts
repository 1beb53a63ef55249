/** `l2mac show`: a turn: the prompt, the answer, what it did. */
import { UserError } from "../../core/errors.ts";
import { baseWords, type LaneStep } from "../../core/program/ahead.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { Run } from "../../core/run/run.ts";
import { shortId } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { isOfRun, laneWordsOf } from "../../core/turn/lane-turns.ts";
import type { TurnRecord } from "../../core/turn/turn.ts";
import { turnAddress } from "../../core/turn/turn-address.ts";
import type { Command } from "../command.ts";
import { paintFor } from "../display/paint.ts";
import { type ShownTurn, showTurn } from "../inspect/shown-turn.ts";
import { textLines } from "../inspect/text-lines.ts";
import { type Meant, readMeant } from "../inspect/turn-address.ts";
import { indented, type Showing, turnLines } from "../inspect/turn-lines.ts";
import { type Connection, connect } from "../runs/connection.ts";
import { findRun } from "../runs/find-run.ts";
import { ALL } from "../settings/command-flags.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";

export const show: Command = async (given, shell) => {
  const meant = readMeant(given.words);
  const connection = await connect(given, shell);
  const run = await findRun(connection, meant.run, meant.unless);
  const records = meantTurns(await connection.turns(run.id), { run, at: meant.at, connection });
  const showing: Showing = { paint: paintFor(shell), all: given.flags.has(ALL.name) };
  const number = records[0]?.instruction ?? 0;
  const instruction = (await connection.program(run.id)).instructions.find((each) => each.number === number);
  const isJson = given.flags.has(JSON_OUTPUT.name);
  if (!isJson) shell.out(`${headLines(run, { instruction, number, showing }).join("\n")}\n`);
  for (const [index, record] of records.entries()) {
    // The conversation grows turn by turn, so the first request of it is enough.
    const withPrompt = index === 0 || record.lane !== records[index - 1]?.lane;
    const base = record.lane === undefined ? undefined : instruction?.ahead?.base;
    const shown = await showTurn(connection, run, { record, withPrompt, base: base ?? Math.max(0, number - 1) });
    shell.out(isJson ? `${JSON.stringify(inJson(run, shown))}\n` : `\n${turnLines(shown, showing).join("\n")}\n`);
    if (shell.readerGone()) break;
  }
  connection.close();
  return 0;
};

function meantTurns(
  turns: TurnRecord[],
  { run, at, connection }: { run: Run; at: Meant["at"]; connection: Connection },
): TurnRecord[] {
  const { instruction = 0, turn, lane } = at ?? latestOf(turns) ?? {};
  const ofInstruction = turns.filter((each) => each.instruction === instruction);
  const meant = ofInstruction.filter((each) => turn === undefined || (each.turn === turn && each.lane === lane));
  // What only a lane has taken so far needs no lane in its address.
  const found = meant.length > 0 || lane !== undefined ? meant : ofInstruction.filter((each) => each.turn === turn);
  if (found.length > 0) return found;
  const has = ofInstruction.length > 0 ? `instruction ${instruction} has ${countOf(ofInstruction)}` : hasOf(turns);
  const address = turnAddress({ instruction, turn: turn ?? 1, lane });
  throw new UserError(`Run ${shortId(run.id)} has no turn ${address}: ${has}.`, {
    exitCode: 2,
    remedy: { command: "log", args: [shortId(run.id), ...connection.remoteFlag] },
  });
}

/** Lanes take turns of later instructions before the run comes to them. */
const latestOf = (turns: TurnRecord[]): TurnRecord | undefined =>
  turns.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at)).at(-1);

/** `3`, or `2 in lane 2 and 1 of its own`. */
function countOf(turns: TurnRecord[]): string {
  const own = turns.filter(isOfRun).length;
  const lane = turns.find((each) => !isOfRun(each))?.lane;
  if (lane === undefined) return String(own);
  return `${turns.length - own} in lane ${lane}${own > 0 ? ` and ${own} of its own` : ""}`;
}

function hasOf(turns: TurnRecord[]): string {
  const numbers = [...new Set(turns.map(({ instruction }) => instruction))];
  return numbers.length === 0 ? "it has none yet" : `its turns belong to instructions ${numbers.join(", ")}`;
}

interface Heading {
  instruction: Instruction | undefined;
  number: number;
  showing: Showing;
}

function headLines({ id, name, instructions }: Run, { instruction, number, showing }: Heading): string[] {
  const title = instruction ? `instruction ${number}/${instructions}: ${instruction.title}` : "planning";
  const served = instruction?.requirements.length ? [`  requirements: ${instruction.requirements.join(", ")}`] : [];
  const text = instruction ? textLines(instruction.text, showing.all ? undefined : INSTRUCTION_LINES) : [];
  const ahead = instruction?.ahead ? [`  ${aheadLine(instruction.ahead)}`] : [];
  const head = sanitizeLine(`Run ${shortId(id)} (${name}) · ${title}`);
  return [showing.paint("bold", head), ...indented(text), ...[...served, ...ahead].map(sanitizeLine)];
}

/** `lane 2, dropped: a.txt was changed meanwhile · on the files after instruction 1` */
const aheadLine = ({ lane, state, base, why }: LaneStep): string =>
  `${laneWordsOf({ lane, ahead: state })}${why === undefined ? "" : `: ${why}`} · ${baseWords(base)}`;

const INSTRUCTION_LINES = 12;

const inJson = ({ id }: Run, { record, answer, effects, prompt, tried, diffs }: ShownTurn) => ({
  run: id,
  ...record,
  prompt: prompt ?? null,
  answer: answer?.answer ?? null,
  results: effects?.results ?? [],
  correction: effects?.correction ?? "",
  verdicts: effects?.verdicts ?? [],
  ...(tried.length > 0 ? { tried } : {}),
  diff: diffs.flatMap(({ lines }) => lines).join(""),
});
