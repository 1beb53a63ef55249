/** Which turn is meant: `4.2` is the second turn of instruction 4, `4.2@3` that of lane 3, `4` all; planning is 0. */
import { usage } from "../settings/parse.ts";

export interface Meant {
  /** Absent: the latest run. */
  run: string | undefined;
  /** Absent: the latest turn of the run. */
  at: { instruction: number; turn: number | undefined; lane?: number | undefined } | undefined;
}

/** The ids of runs begin with a zero, so no number of an instruction is one. */
const POSITION = /^(0|[1-9]\d{0,5})(?:\.(\d{1,4})(?:@(\d{1,2}))?)?$/;

export function readMeant(words: readonly string[]): Meant {
  const [first, second] = words;
  const alone = second === undefined ? positionIn(first) : undefined;
  if (alone) return { run: undefined, at: alone };
  const at = positionIn(second);
  if (second === undefined || at) return { run: first, at };
  throw usage({ name: "show" }, `${second} names no turn: 4.2 is the second turn of instruction 4.`);
}

function positionIn(word: string | undefined): Meant["at"] {
  const [, instruction, turn, lane] = (word && POSITION.exec(word)) || [];
  if (instruction === undefined) return undefined;
  return {
    ...{ instruction: Number(instruction), turn: turn === undefined ? undefined : Number(turn) },
    ...(lane === undefined ? {} : { lane: Number(lane) }),
  };
}
