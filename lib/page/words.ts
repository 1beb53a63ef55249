/** Times, money and states for people. Pure. */

import type { Run, RunReason } from "../core/run/run.ts";
import { counted } from "../core/text/counted.ts";

export { money } from "../core/run/amounts.ts";

export function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} d`;
}

export function size(bytes: number): string {
  if (bytes < 1_024) return `${bytes} bytes`;
  return bytes < 1_048_576 ? `${(bytes / 1_024).toFixed(1)} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`;
}

/** `814`, `2.1k`, `1.3M`. */
export function amount(count: number): string {
  if (count < 1_000) return String(count);
  const [value, unit] = count < 999_500 ? [count / 1_000, "k"] : [count / 1_000_000, "M"];
  return `${Number(value.toFixed(value < 10 ? 1 : 0))}${unit}`;
}

/** `1 min ago`: how long ago something was, as people say it. */
export function ago(milliseconds: number): string {
  const seconds = Math.floor(Math.max(0, milliseconds) / 1_000);
  if (seconds < 10) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ago`;
  return `${counted(Math.floor(seconds / 86_400), "day")} ago`;
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

/** What the machine says in its own clock, in that of whoever looks. */
export const withClocks = (text: string, now: number): string =>
  text.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (iso) => clock(Date.parse(iso), now));

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
  if (until > now) return `It goes on by itself in ${span(until - now)}, at ${clock(until, now)}.`;
  return `It was to go on by itself at ${clock(until, now)}, ${ago(now - until)}: look whether the server still runs.`;
}

/** What could not be checked is not green. */
export const colourOf = ({ status, reason }: Pick<Run, "status" | "reason">): string =>
  status === "completed" && reason === "unchecked" ? "unchecked" : status;
