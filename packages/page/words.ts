/** Times in local time, and states, as text. Pure. */
import type { AnswerUnderway } from "../../lib/core/ports.ts";
import type { Run, RunReason } from "../../lib/core/run/run.ts";
import { amount, pluralize, spanWords } from "../../lib/core/text/format.ts";

/** `1 min ago`: how long ago something was. */
export function ago(milliseconds: number): string {
  const seconds = Math.floor(Math.max(0, milliseconds) / 1_000);
  if (seconds < 10) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ago`;
  return `${pluralize(Math.floor(seconds / 86_400), "day")} ago`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `14:03:20`, with its date if that is not today, in local time. */
export function clock(time: number, now: number): string {
  const [date, today] = [new Date(time), new Date(now)];
  const hours = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, "0"));
  if (date.toDateString() === today.toDateString()) return hours.join(":");
  const year = date.getFullYear() === today.getFullYear() ? "" : ` ${date.getFullYear()}`;
  return `${date.getDate()} ${MONTHS[date.getMonth()]}${year} ${hours.join(":")}`;
}

type RunStatusFields = Pick<Run, "status" | "reason">;

/** What a run does or waits for, in a few words. */
export { statusText as stateOf } from "../../lib/core/run/run.ts";

const WAITS: Partial<Record<RunReason, string>> = {
  approval: "The program needs your approval before it is executed. Waiting costs nothing.",
  answer: "The program asks you a question. Waiting costs nothing.",
  interrupted: "The process that computed the run has ended. Nothing is lost. Resume the run to continue.",
  rate_limited: "The model server asked for a pause.",
  evaluator_not_ready: "The evaluator is not ready yet.",
  repository: "The server of the Git repository does not answer yet.",
};

/** What a waiting run waits for, and until when; undefined: it does not wait. */
export function waitingFor(
  { status, reason, waitUntil }: RunStatusFields & Pick<Run, "waitUntil">,
  now: number,
): string | undefined {
  if (status !== "waiting") return undefined;
  const what = (reason && WAITS[reason]) ?? "The run is waiting.";
  return waitUntil === undefined ? what : `${what} ${untilWords(Date.parse(waitUntil), now)}`;
}

function untilWords(until: number, now: number): string {
  if (until > now) return `It continues automatically in ${spanWords(until - now)}, at ${clock(until, now)}.`;
  return `It should have continued at ${clock(until, now)}, ${ago(now - until)}. Check that the server is running.`;
}

const WAITED_FOR: Partial<Record<Run["status"], string>> = {
  queued: "for its turn to be computed",
  planning: "for the model",
  running: "for the model or a check",
  delivering: "for the check of the delivery",
};

/** What a working run waits for since its last news. */
export const waitedFor = ({ status }: Pick<Run, "status">, milliseconds: number): string =>
  `waiting ${WAITED_FOR[status] ?? "for news"}, ${spanWords(Math.max(0, milliseconds))} so far`;

/** What the model does before its answer is whole. */
export const underwayWords = ({ instruction, turn, characters }: AnswerUnderway): string =>
  `The model writes: ${amount(characters)} characters so far, in turn ${turn} of ${instruction === 0 ? "the planning" : `instruction ${instruction}`}.`;

/** What could not be checked is not green. */
export const colourOf = ({ status, reason }: Pick<Run, "status" | "reason">): string =>
  status === "completed" && reason === "unchecked" ? "unchecked" : status;
