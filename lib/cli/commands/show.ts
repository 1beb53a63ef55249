/** `l2mac show`: a turn: the prompt, the answer, what it did. */
import { UserError } from "../../core/errors.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { Run } from "../../core/run/run.ts";
import { shortId } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import type { TurnRecord } from "../../core/turn/turn.ts";
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
  const run = await findRun(connection, meant.run);
  const records = meantTurns(await connection.turns(run.id), { run, at: meant.at, connection });
  const showing: Showing = { paint: paintFor(shell), all: given.flags.has(ALL.name) };
  const number = records[0]?.instruction ?? 0;
  const instruction = (await connection.program(run.id)).instructions.find((each) => each.number === number);
  const isJson = given.flags.has(JSON_OUTPUT.name);
  if (!isJson) shell.out(`${headLines(run, { instruction, number, showing }).join("\n")}\n`);
  for (const [index, record] of records.entries()) {
    // The conversation grows turn by turn, so the first request of it is enough.
    const shown = await showTurn(connection, run, { record, withPrompt: index === 0 });
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
  const { instruction, turn } = at ?? turns.at(-1) ?? {};
  const ofInstruction = turns.filter((each) => each.instruction === instruction);
  const found = turn === undefined ? ofInstruction : ofInstruction.filter((each) => each.turn === turn);
  if (found.length > 0) return found;
  const has = ofInstruction.length > 0 ? `instruction ${instruction} has ${ofInstruction.length}` : hasOf(turns);
  throw new UserError(`Run ${shortId(run.id)} has no turn ${[instruction ?? 0, turn ?? 1].join(".")}: ${has}.`, {
    exitCode: 2,
    remedy: { command: "log", args: [shortId(run.id), ...connection.remoteFlag] },
  });
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
  const head = sanitizeLine(`Run ${shortId(id)} (${name}) · ${title}`);
  return [showing.paint("bold", head), ...indented(text), ...served.map(sanitizeLine)];
}

const INSTRUCTION_LINES = 12;

const inJson = ({ id }: Run, { record, answer, effects, prompt, diffs }: ShownTurn) => ({
  run: id,
  ...record,
  prompt: prompt ?? null,
  answer: answer?.answer ?? null,
  results: effects?.results ?? [],
  correction: effects?.correction ?? "",
  verdicts: effects?.verdicts ?? [],
  diff: diffs.flatMap(({ lines }) => lines).join(""),
});
