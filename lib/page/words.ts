/** Times, money and states for people. Pure. */
import { MICRO } from "../core/budget.ts";
import type { Run } from "../core/run.ts";

export function money(microUsd: number): string {
  const usd = microUsd / MICRO;
  return usd > 0 && usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`;
}

export function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** What a run does or waits for, in a sentence. */
export function stateOf(run: Pick<Run, "status" | "reason" | "detail" | "waitUntil">): string {
  const until = run.waitUntil ? ` until ${run.waitUntil.slice(0, 19).replace("T", " ")} UTC` : "";
  if (run.status === "waiting") return `waiting${run.reason ? ` (${run.reason.replaceAll("_", " ")})` : ""}${until}`;
  return run.reason && run.reason !== run.status ? `${run.status} (${run.reason.replaceAll("_", " ")})` : run.status;
}
