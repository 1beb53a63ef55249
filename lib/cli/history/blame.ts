/** `l2mac blame`: the turn, instruction and requirements that each line of a file comes from. */
import { UserError } from "../../core/errors.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { Run } from "../../core/run/run.ts";
import { type BlamedLine, blameLines } from "../../core/text/blame-lines.ts";
import { checkPath } from "../../core/text/file-path.ts";
import { decodeText } from "../../core/text/file-text.ts";
import { pluralize, shortId } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { fileVersions } from "../../core/turn/file-versions.ts";
import { creditedTurns } from "../../core/turn/lane-turns.ts";
import type { TurnRecord } from "../../core/turn/turn.ts";
import { turnAddress } from "../../core/turn/turn-address.ts";
import type { Command } from "../command.ts";
import { contentOf } from "../commands/cat.ts";
import { instructionIn } from "../commands/tree.ts";
import { paintFor } from "../display/paint.ts";
import { type Connection, connect } from "../runs/connection.ts";
import { findRun, refuseNotAccepted } from "../runs/find-run.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";
import { usage } from "../settings/parse.ts";

type Line = BlamedLine<TurnRecord | undefined>;

export const blame: Command = async (given, shell) => {
  const { words, flags } = given;
  const path = words.at(-1);
  if (path === undefined) throw usage({ name: "blame" }, "blame needs the path of a file: blame [run] <path>.");
  const at = instructionIn(flags, "blame");
  const connection = await connect(given, shell);
  const run = await findRun(connection, words.length > 1 ? words[0] : undefined);
  refuseNotAccepted(run, at, connection);
  const lines = await blamedLines(connection, run, { path, at });
  const { instructions } = await connection.program(run.id);
  connection.close();
  const byNumber = new Map(instructions.map((each) => [each.number, each]));
  if (flags.has(JSON_OUTPUT.name))
    for (const [index, line] of lines.entries()) shell.out(`${JSON.stringify(inJson(line, index + 1, byNumber))}\n`);
  else {
    shell.say(sanitizeLine(`Run ${shortId(run.id)} (${run.name}), ${path}: ${pluralize(lines.length, "line")}`));
    for (const legend of legendOf(lines, byNumber)) shell.say(sanitizeLine(legend));
    const rows = rowsOf(lines, byNumber);
    const paint = paintFor(shell);
    for (const { origin, number, text } of rows)
      shell.out(`${paint("blue", sanitizeLine(origin))} ${number}  ${shell.resultOnTerminal ? shown(text) : text}\n`);
  }
  return 0;
};

interface FileAddress {
  path: string;
  at: number | undefined;
}

async function blamedLines(connection: Connection, run: Run, { path, at }: FileAddress): Promise<Line[]> {
  // Throws where there is no such file, and names what is meant perhaps.
  const now = await contentOf(connection, run, { path, at });
  if (decodeText(now) === undefined)
    throw new UserError(`${path} is not a text file, so it has no lines to blame.`, { exitCode: 2 });
  const checked = checkPath(path);
  const turns = creditedTurns(await connection.turns(run.id)).filter(
    ({ state, instruction }) => state === "committed" && (at === undefined || instruction <= at),
  );
  const versions = await fileVersions(
    {
      turns,
      read: async (file, after) => {
        const address = after ? turnAddress(after) : 0;
        const content = await connection.file(run.id, { path: file, at: address });
        return content && decodeText(content);
      },
    },
    "path" in checked ? checked.path : path,
  );
  return blameLines(versions);
}

type Instructions = ReadonlyMap<number, Instruction>;

const START = "start";
const addressOf = ({ origin }: Line): string => (origin ? turnAddress(origin) : START);
const servedBy = ({ origin }: Line, instructions: Instructions): string[] =>
  (origin && instructions.get(origin.instruction)?.requirements) ?? [];

/** The instructions that the rows name, each once. */
function legendOf(lines: Line[], instructions: Instructions): string[] {
  const numbers = [...new Set(lines.flatMap(({ origin }) => (origin ? [origin.instruction] : [])))].sort(
    (a, b) => a - b,
  );
  const width = String(numbers.at(-1) ?? 0).length;
  return numbers.map((number) => `  ${String(number).padStart(width)}  ${instructions.get(number)?.title ?? ""}`);
}

/** A line can serve many requirements; three are enough to look for. */
const SHOWN_REQUIREMENTS = 3;

function rowsOf(lines: Line[], instructions: Instructions): { origin: string; number: string; text: string }[] {
  const origins = lines.map((line) => {
    const served = servedBy(line, instructions);
    const more = served.length > SHOWN_REQUIREMENTS ? ",…" : "";
    return { address: addressOf(line), served: `${served.slice(0, SHOWN_REQUIREMENTS).join(",")}${more}` };
  });
  const addressWidth = Math.max(0, ...origins.map(({ address }) => address.length));
  const servedWidth = Math.max(0, ...origins.map(({ served }) => served.length));
  const numberWidth = String(lines.length).length;
  return lines.map(({ text }, index) => {
    const { address = "", served = "" } = origins[index] ?? {};
    return {
      origin: `${address.padEnd(addressWidth)} ${served.padEnd(servedWidth)}`,
      number: String(index + 1).padStart(numberWidth),
      text,
    };
  });
}

const TAB = "    ";
const shown = (text: string): string => sanitizeLine(text.replaceAll("\t", TAB));

const inJson = (line: Line, number: number, instructions: Instructions) => ({
  line: number,
  instruction: line.origin?.instruction ?? null,
  turn: line.origin?.turn ?? null,
  lane: line.origin?.lane ?? null,
  title: (line.origin && instructions.get(line.origin.instruction)?.title) ?? null,
  requirements: servedBy(line, instructions),
  text: line.text,
});
