/** Between which instructions: `2..5`, from 2 on (`2..`), up to 5 (`..5`), or what one of them changed (`4`). */
import { usage } from "../settings/parse.ts";

export interface Range {
  /** The files as this instruction left them; 0: before the first. */
  from: number;
  /** Absent: as they are now. */
  to: number | undefined;
}

const START = 0;

export function readRange(given: string | undefined): Range {
  if (given === undefined) return { from: START, to: undefined };
  const [, one, from, to] = /^(?:(\d{1,6})|(\d{0,6})\.\.(\d{0,6}))$/.exec(given.trim()) ?? [];
  const range = one === undefined ? between(from, to) : { from: Math.max(START, Number(one) - 1), to: Number(one) };
  if (range && (range.to === undefined || range.from <= range.to)) return range;
  throw usage(
    { name: "diff" },
    `--at takes an instruction, or two from low to high: 4, 2..5, 2.., ..5; not "${given}".`,
  );
}

const between = (from: string | undefined, to: string | undefined): Range | undefined =>
  from === undefined || (from === "" && to === "")
    ? undefined
    : { from: from === "" ? START : Number(from), to: to === "" ? undefined : Number(to) };
