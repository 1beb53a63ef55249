/** Times, money and states for people. Pure. */

import type { Run, RunReason } from "../core/run/run.ts";
import { pluralize, spanWords } from "../core/text/format.ts";

/** `1 min ago`: how long ago something was, as people say it. */
export function ago(milliseconds: number): string {
  const seconds = Math.floor(Math.max(0, milliseconds) / 1_000);
  if (seconds < 10) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ago`;
  return `${pluralize(Math.floor(seconds / 86_400), "day")} ago`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `14:03:20`, with its date where that is not today: by the clock of whoever looks. */
export function clock(time: number, now: number): string {
  const [date, today] = [new Date(time), new Date(now)];
  const hours = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, "0"));
  if (date.toDateString() === today.toDateString()) return hours.join(":");
  const year = date.getFullYear() === today.getFullYear() ? "" : ` ${date.getFullYear()}`;
  return `${date.getDate()} ${MONTHS[date.getMonth()]}${year} ${hours.join(":")}`;
}

type Standing = Pick<Run, "status" | "reason">;

/** What a run does or waits for, in a few words. */
export { statusText as stateOf } from "../core/run/run.ts";

const WAITS: Partial<Record<RunReason, string>> = {
  approval: "A person has to approve its program before any of it is executed; until then it costs nothing.",
  interrupted: "The process that computed it is gone. Nothing is lost; it stands still until somebody resumes it.",
  rate_limited: "The model server asked for a pause.",
  evaluator_not_ready: "What checks the files is not ready yet.",
};

/** What a waiting run waits for, and until when; undefined: it does not wait. */
export function waitingFor(
  { status, reason, waitUntil }: Standing & Pick<Run, "waitUntil">,
  now: number,
): string | undefined {
  if (status !== "waiting") return undefined;
  const what = (reason && WAITS[reason]) ?? "It waits.";
  return waitUntil === undefined ? what : `${what} ${untilWords(Date.parse(waitUntil), now)}`;
}

function untilWords(until: number, now: number): string {
  if (until > now) return `It goes on by itself in ${spanWords(until - now)}, at ${clock(until, now)}.`;
  return `It was to go on by itself at ${clock(until, now)}, ${ago(now - until)}: look whether the server still runs.`;
}

/** What could not be checked is not green. */
export const colourOf = ({ status, reason }: Pick<Run, "status" | "reason">): string =>
  status === "completed" && reason === "unchecked" ? "unchecked" : status;
