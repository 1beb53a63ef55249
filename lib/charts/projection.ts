/** What a run would cost at its end, if what is left cost as much for each instruction as what is done. Pure. */
import { INSTRUCTION_STATES, isDone } from "../core/run/history.ts";
import { isEnded } from "../core/run/run.ts";
import type { ChartData } from "./chart.ts";

export interface Projection {
  microUsd: number;
  /** Of a done instruction, on the average. */
  each: number;
  done: number;
  left: number;
}

/** One instruction says nothing about the others. */
const ENOUGH = 2;

/** Undefined where it would be nonsense: too little is done, nothing is left, or the run has ended. */
export function projectionOf(history: ChartData): Projection | undefined {
  const { run, turns } = history;
  const states = history.states;
  const done = states.filter(isDone).length;
  const left = states.length - done;
  if (isEnded(run.status) || done < ENOUGH || left === 0) return undefined;
  const spentOn = Map.groupBy(turns, ({ instruction }) => states[instruction - 1] ?? "planning");
  const spent = (wanted: (state: string) => boolean): number =>
    [...spentOn].reduce((sum, [state, own]) => sum + (wanted(state) ? sumOf(own) : 0), 0);
  const isOpen = (state: string): boolean => state === "started" || state === "stuck";
  const each = spent((state) => INSTRUCTION_STATES.some((known) => known === state && isDone(known))) / done;
  // What is begun may have cost more than its share already.
  const opened = states.filter(isOpen).length;
  const rest = Math.max(each * opened, spent(isOpen)) + each * (left - opened);
  return { microUsd: spent((state) => !isOpen(state)) + rest, each, done, left };
}

const sumOf = (turns: ChartData["turns"]): number => turns.reduce((sum, { microUsd }) => sum + microUsd, 0);
