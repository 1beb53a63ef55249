/** The summary of a run: status, progress, cost, and the ceiling that can be raised. Pure. */
import { usedUpCeiling } from "../../lib/core/run/ceiling.ts";
import { lastForkPoint } from "../../lib/core/run/forks/fork-point.ts";
import type { Budget } from "../../lib/core/run/option-forms.ts";
import { acceptedOf, type Run } from "../../lib/core/run/run.ts";
import { lastWayBack } from "../../lib/core/run/way-back.ts";
import { money, spanWords } from "../../lib/core/text/format.ts";
import { type Amount, readAmount } from "./read-amount.ts";
import { ago, clock, stateOf } from "./words.ts";

const WORKING = ["queued", "planning", "running", "delivering"];
export const isWorking = ({ status }: Pick<Run, "status">): boolean => WORKING.includes(status);

type RunStatusFields = Pick<Run, "status" | "reason" | "detail">;

/** The state, with its reason if that adds anything. */
export function statusLine(run: RunStatusFields): string {
  const state = stateOf(run);
  const detail = detailOf(run).replace(/^Completed, but /, "");
  return detail === "" || detail.toLowerCase().startsWith(`${run.status}.`) ? state : `${state}: ${detail}`;
}

/** The evidence of a stuck instruction is shown separately. */
const detailOf = ({ reason, detail = "" }: RunStatusFields): string =>
  reason === "trapped" ? detail.replace(/; .*$/s, ".") : detail;

/** Beside its state in a list: until when it waits, or why it is not as it should be. */
export function reasonOf(run: RunStatusFields & Pick<Run, "waitUntil">, now: number): string {
  if (run.status === "waiting" && run.waitUntil !== undefined) {
    const until = Date.parse(run.waitUntil);
    return until > now
      ? `until ${clock(until, now)}, in ${spanWords(until - now)}`
      : `should have continued ${ago(now - until)}`;
  }
  const isShown = run.status !== "completed" || run.reason === "unchecked";
  return isShown ? detailOf(run) : "";
}

/** No model was asked. */
export const isRehearsal = ({ profile }: Pick<Run, "profile">): boolean => profile.model === "rehearsal";

type Counted = Pick<Run, "instructions" | "pc" | "skipped">;

/** `3/7`; before there is a program there is nothing to count. */
export const progressOf = (run: Counted): string =>
  run.instructions === 0 ? "–" : `${acceptedOf(run)}/${run.instructions}`;

/** `28/30 · 2 known red`: how many tests passed when they were last run. */
export const testsOf = ({ testsTotal, testsPassed, knownRed }: TestCounts): string =>
  [testsTotal > 0 ? `${testsPassed}/${testsTotal}` : "–", ...(knownRed ? [`${knownRed} known red`] : [])].join(" · ");

type TestCounts = Pick<Run, "testsTotal" | "testsPassed" | "knownRed">;

/** What it took: time in which it was computed, not in which it waited for a person. */
export function takenOf(run: Pick<Run, "status" | "activeMs" | "updatedAt">, now: number): string {
  const since = isWorking(run) && run.status !== "queued" ? Math.max(0, now - Date.parse(run.updatedAt)) : 0;
  return spanWords(run.activeMs + since);
}

type RunCost = Pick<Run, "microUsd" | "profile" | "options">;

export interface Spent {
  text: string;
  /** Of its ceiling; absent where it has none. */
  share?: number;
}

export function spentOf({ microUsd, profile, options: { budget } }: RunCost): Spent {
  if (budget.usd === undefined || isRehearsal({ profile })) return { text: money(microUsd) };
  const ceiling = budget.usd * 1e6;
  return { text: `${money(microUsd)} of ${money(ceiling)}`, share: Math.min(1, microUsd / ceiling) };
}

/** Warn from this share of the ceiling on. */
const CLOSE = 0.8;

export function ceilingWarning(run: Pick<Run, "status"> & RunCost): string | undefined {
  const { share } = spentOf(run);
  if (share === undefined || share < CLOSE || !isWorking(run)) return undefined;
  return `${Math.floor(share * 100)} % of the ceiling is spent. At the ceiling the run stops; everything is kept, and you can resume it with a higher one.`;
}

export interface Raise {
  ceiling: keyof Budget;
  label: string;
  /** Undefined: it has none. */
  now: number | undefined;
  offered: number | undefined;
}

const LABELS: Record<keyof Budget, string> = {
  usd: "Ceiling in US dollars",
  tokens: "Ceiling in tokens",
  turns: "Ceiling in turns",
  minutes: "Ceiling in minutes",
};

const isCeiling = (reason: Run["reason"]): reason is keyof Budget =>
  reason !== undefined && Object.hasOwn(LABELS, reason);

/** The ceiling that stopped it, twice as high; else the one in dollars, as it is. */
export function raiseOf({ reason, options: { budget } }: Pick<Run, "reason" | "options">): Raise {
  const ceiling = isCeiling(reason) ? reason : "usd";
  const now = budget[ceiling];
  return { ceiling, label: LABELS[ceiling], now, offered: now !== undefined && isCeiling(reason) ? now * 2 : now };
}

/** It goes on only with more. */
export const needsMore = ({ reason }: Pick<Run, "reason">): boolean => isCeiling(reason);

type RunUsage = Pick<Run, "reason" | "options"> & Parameters<typeof usedUpCeiling>[0];

/** What is used already, of a run that goes on only with more. */
export const usedOf = (run: RunUsage): string | undefined =>
  needsMore(run) ? usedUpCeiling(run, { [raiseOf(run).ceiling]: 0 })?.problem : undefined;

/** Reads a ceiling from a form; it must be above what is used. */
export function ceilingIn(run: RunUsage, text: string): Amount {
  const { ceiling, label: field } = raiseOf(run);
  const amount = readAmount(text, { field, isWhole: ceiling === "turns" || ceiling === "tokens" });
  if ("problem" in amount) return amount;
  const usedUp = usedUpCeiling(run, { [ceiling]: amount.value });
  return usedUp ? { problem: usedUp.problem } : amount;
}

/** Of the tab. */
export const tabTitle = (run: RunStatusFields & Pick<Run, "title">): string => `${run.title} · ${stateOf(run)}`;

export type Action =
  | "approve"
  | "answer"
  | "revise"
  | "reject"
  | "cancel"
  | "resume"
  | "after"
  | "back"
  | "fork"
  | "delete";

type RunStage = Pick<Run, "status" | "reason" | "instructions" | "packed">;

export function actionsFor(run: RunStage): Action[] {
  const { status, reason } = run;
  const fork: Action[] = lastForkPoint(run) < 1 ? [] : ["fork"];
  const back: Action[] = lastWayBack(run) < 1 ? [] : ["back", ...fork];
  if (status === "waiting" && reason === "approval") return ["approve", "revise", "reject", "delete"];
  if (status === "waiting" && reason === "answer") return ["answer", "cancel", "delete"];
  const after: Action[] = run.packed < 0 ? [] : ["after"];
  if (status === "completed") return [...after, ...back, "delete"];
  if (["partial", "failed", "cancelled"].includes(status)) return ["resume", ...back, "delete"];
  if (status === "waiting" && reason === "interrupted") return ["resume", ...back, "delete"];
  return ["cancel"];
}

export const canDelete = (run: RunStage): boolean => actionsFor(run).includes("delete");
