/** What a run waits for while nothing happens: for logs and pipes, which show no live view. Pure. */
import type { RunProgress } from "../../core/run/run-progress.ts";
import { amount, span } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";

/** `newsAt`: when the last event came. */
export function heartbeatLine(view: RunProgress, { now, newsAt }: { now: number; newsAt: number }): string {
  return sanitizeLine(`  … ${placeOf(view)}: ${waitOf(view, now)} · no news for ${span(now - newsAt)}`);
}

function placeOf({ instructions, phase, total }: RunProgress): string {
  const running = instructions.find(({ state }) => state === "started");
  return running ? `instruction ${running.number}/${total}` : phase;
}

function waitOf({ waiting, underway, instructions }: RunProgress, now: number): string {
  if (waiting) {
    const until = waiting.until === undefined ? "" : `, next try in ${span(Math.max(0, waiting.until - now))}`;
    return `waiting${until}: ${waiting.why}`;
  }
  if (underway) return `the model writes, ${amount(underway.characters)} characters so far`;
  const activity = instructions.find(({ state }) => state === "started")?.activity;
  if (activity?.kind === "turn") return "waiting for checks, or for the model's next answer";
  if (activity?.kind === "retrying") return `waiting for the model, after retry ${activity.tries}: ${activity.why}`;
  return activity?.kind === "repairing" ? "waiting for the model to repair it" : "waiting for the model";
}
