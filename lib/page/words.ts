/** Times, money and states for people. Pure. */
import type { Run, RunReason } from "../core/run.ts";

export { money } from "../core/amounts.ts";

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

type Standing = Pick<Run, "status" | "reason">;

/** What a run does or waits for, in a few words. */
export function stateOf({ status, reason }: Standing): string {
  return reason && reason !== status ? `${status} (${reason.replaceAll("_", " ")})` : status;
}

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
  const clock = `${new Date(until).toISOString().slice(0, 19).replace("T", " ")} UTC`;
  if (until > now) return `It goes on by itself at ${clock}, in ${span(until - now)}.`;
  return `It was to go on by itself at ${clock}, ${span(now - until)} ago: look whether the server still runs.`;
}

/** What could not be checked is not green. */
export const colourOf = ({ status, reason }: Pick<Run, "status" | "reason">): string =>
  status === "completed" && reason === "unchecked" ? "unchecked" : status;
