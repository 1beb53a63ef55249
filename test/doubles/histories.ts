/** Histories of runs, for tests of charts, pages and reports. */

import type { Run } from "../../lib/core/run/run.ts";
import type { TurnRecord } from "../../lib/core/turn/turn.ts";
import { type ChartData, chartDataOf, type RunRecord } from "../../packages/page/charts/chart.ts";
import { aRun } from "./runs.ts";

export const aTurn = (instruction: number, turn: number, over: Partial<TurnRecord> = {}): TurnRecord => ({
  instruction,
  turn,
  epoch: 1,
  attempt: 1,
  segment: 0,
  state: "committed",
  at: "2026-01-01T00:00:00.000Z",
  inputTokens: 1_000,
  cachedTokens: 400,
  outputTokens: 100,
  microUsd: 10_000,
  milliseconds: 1_000,
  changes: [],
  ...over,
});

export const change = (path: string, was: string | null = null, sha256: string | null = "b") => ({
  path,
  was,
  sha256,
  bytes: 1,
});

export const aProgram = (count = 4): RunRecord["program"] => ({
  instructions: Array.from({ length: count }, (_, index) => ({
    ...{ title: `Part ${index + 1}`, text: "Do it.", requirements: ["R1"] },
  })),
  requirements: [{ id: "R1", text: "It works." }],
});

export const aHistory = (turns: TurnRecord[], run: Partial<Run> = {}): ChartData =>
  chartDataOf({ run: aRun({ instructions: 4, status: "running", ...run }), program: aProgram(), turns });

/** Four turns for $0.040; two of four instructions are done. */
export const PAID: TurnRecord[] = [
  aTurn(0, 1),
  aTurn(1, 1),
  aTurn(1, 2, { outcome: "accepted" }),
  aTurn(2, 1, { outcome: "accepted" }),
];
