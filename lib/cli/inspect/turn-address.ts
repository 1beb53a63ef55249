/** Which turn is meant: `4.2` is the second turn of instruction 4, `4.2@3` that of lane 3, `4` all; planning is 0. */
import { LANES } from "../../core/limits.ts";
import { readTurnAddress } from "../../core/turn/turn-address.ts";
import { usage } from "../settings/parse.ts";

export interface Meant {
  /** Absent: the latest run. */
  run: string | undefined;
  /** What to know if there is no such run. */
  unless?: string;
  /** Absent: the latest turn of the run. */
  at: { instruction: number; turn: number | undefined; lane?: number | undefined } | undefined;
}

/** The ids of runs begin with a zero, so no number of an instruction is one. */
const INSTRUCTION = /^(0|[1-9]\d{0,5})$/;

/** A run can have such a name, with dots; if none has, a turn was meant. */
const LIKE_ADDRESS = /^\d[\d.@]*$/;
const ADDRESSES = `A turn is 4.2, or 4.2@3 of lane 3; a run has ${LANES} lanes at most.`;

export function readMeant(words: readonly string[]): Meant {
  const [first, second] = words;
  const alone = second === undefined ? positionIn(first) : undefined;
  if (alone) return { run: undefined, at: alone };
  const at = positionIn(second);
  if (second !== undefined && !at) throw usage({ name: "show" }, `${second} names no turn. ${ADDRESSES}`);
  return { run: first, at, ...(first && !at && LIKE_ADDRESS.test(first) ? { unless: ADDRESSES } : {}) };
}

function positionIn(word: string | undefined): Meant["at"] {
  if (word === undefined || /^0\d/.test(word)) return undefined;
  return INSTRUCTION.test(word) ? { instruction: Number(word), turn: undefined } : readTurnAddress(word);
}
