/** What is left of a run that something befell, and what is wrong with it. Pure. */
import type { Event } from "../../../lib/core/run/event.ts";
import type { Run } from "../../../lib/core/run/run.ts";
import type { Turn } from "../../../lib/core/turn/turn.ts";
import type { ReplayResult } from "../../../lib/local/replay.ts";

export interface Evidence {
  run: Run;
  /** Of the zip. */
  hash: string;
  /** Requests that the model server got. */
  asked: number;
  events: Event[];
  turns: Turn[];
  /** The sweeper would look at it one day. */
  isActive: boolean;
  replayed: ReplayResult;
}

/** `lost`: so many calls of the model may be lost at most. */
export function problemsOf(seen: Evidence, undisturbed: Evidence, lost: number): string[] {
  const { run, events, turns, isActive } = seen;
  if (run.status !== "completed" || run.reason !== undefined) return [`it ended ${stateOf(run)}`];
  const more = seen.asked - undisturbed.asked;
  return [
    ...(seen.hash === undisturbed.hash ? [] : [`its zip is another one: ${seen.hash}`]),
    ...(more >= 0 && more <= lost ? [] : [`the model was asked ${more} times more, and ${lost} at most may be lost`]),
    ...numberingOf(events, run.events),
    ...(isActive ? ["it is still active for the sweeper"] : []),
    ...accountsOf(run, events, turns),
    ...turnsOf(turns, undisturbed.turns, lost),
    ...replayOf(seen.replayed),
  ];
}

const stateOf = ({ status, reason, detail = "" }: Run): string =>
  `${status} (${reason ?? "no reason"}) ${detail}`.trim();

function numberingOf(events: Event[], noted: number): string[] {
  const wrong = events.find(({ seq }, index) => seq !== index + 1);
  if (wrong) return [`the events do not count up to ${wrong.seq} without a gap`];
  return events.length === noted ? [] : [`there are ${events.length} events, and the run counts ${noted}`];
}

/** What is spent is what was answered, and what was written off for attempts that died. */
function accountsOf(run: Run, events: Event[], turns: Turn[]): string[] {
  const paid = turns.reduce((sum, { microUsd }) => sum + microUsd, 0);
  const lost = events.reduce((sum, event) => sum + (event.type === "written_off" ? event.microUsd : 0), 0);
  return [
    ...(run.microUsd === paid + lost ? [] : [`${run.microUsd} is spent, and not ${paid} + ${lost}`]),
    ...(run.reservedMicroUsd + run.reservedTokens === 0 ? [] : ["something is still reserved"]),
  ];
}

function turnsOf(turns: Turn[], before: Turn[], lost: number): string[] {
  const open = turns.filter(({ state }) => state !== "committed");
  const more = turns.length - before.length;
  return [
    ...open.map(({ instruction, turn }) => `turn ${instruction}.${turn} was answered and never committed`),
    ...(more >= 0 && more <= lost ? [] : [`there are ${more} turns more`]),
  ];
}

function replayOf({ difference, treeHash, expected }: ReplayResult): string[] {
  return [
    ...(difference ? [`the replay differs at ${difference.instruction}.${difference.turn}: ${difference.what}`] : []),
    ...(treeHash === expected ? [] : ["the replay ends with another tree"]),
  ];
}
