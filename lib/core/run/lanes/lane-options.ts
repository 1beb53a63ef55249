/** The option of lanes, and how many a program has without it. Pure. */
import * as z from "zod";
import { LANES } from "../../limits.ts";
import type { Draft } from "../../program/program.ts";
import { optionRows } from "../option-row.ts";

export const laneOptions = {
  parallel: z.int().min(1).max(LANES).register(optionRows, {
    group: "execution",
    flag: "--parallel",
    argument: "N",
    description: "Execute up to N instructions side by side, 1 to 16 (default 1, 4 with needs)",
    inProject: "less",
  }),
};

const WITHOUT_NEEDS =
  "does not say what its instructions need, so they are executed one at a time; --parallel changes nothing.";

const LANES_WITH_NEEDS = 4;

/** A program with blocks is executed in one lane. */
export const defaultLanes = (program: Draft | undefined): number | undefined =>
  program?.tree === undefined && program?.instructions.some(({ needs }) => needs) ? LANES_WITH_NEEDS : undefined;

interface AskedLanes {
  /** Undefined: a model writes it. */
  program: Draft | undefined;
  /** Undefined: the default. */
  asked: number | undefined;
  /** Then a scene that was written beforehand has the program. No scene names what its instructions need. */
  isRehearsal: boolean;
}

/** What is to be known of the lanes before the run begins. */
export function laneNotes({ program, asked, isRehearsal }: AskedLanes): string[] {
  if (asked !== undefined && asked > 1) {
    if (program?.tree) return ["The program has blocks, so it is executed in one lane; --parallel changes nothing."];
    const isNamed = program ? program.instructions.some(({ needs }) => needs) : !isRehearsal;
    return isNamed ? [] : [`${program ? "The program" : "The rehearsal"} ${WITHOUT_NEEDS}`];
  }
  const lanes = asked === undefined ? defaultLanes(program) : undefined;
  if (lanes === undefined) return [];
  return [
    `The program says what its instructions need: up to ${lanes} are executed side by side. --parallel 1 executes them one at a time.`,
  ];
}
