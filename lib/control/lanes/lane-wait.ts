/** A lane that a server lets wait: it looks again and again, so that neither the other lanes nor the next epoch wait for it. */
import type { HandlerAnswer } from "../../core/program/advance.ts";
import type { Run } from "../../core/run/run.ts";
import type { World } from "../world.ts";

const LOOK_SECONDS = 60;
/** Then it is away for half as long as an invocation may take, and its loops last for hours. */
const LOOK_DOUBLINGS = 3;

/** A run that waits for such a lane need not look as often. */
export const upTo = (seconds: number, times = 0): number =>
  Math.min(seconds, LOOK_SECONDS * 2 ** Math.min(times, LOOK_DOUBLINGS));

/** `times`: so often in a row it has waited. */
export const lookAgain = (answer: HandlerAnswer, times: number): HandlerAnswer =>
  answer.next === "wait" ? { ...answer, waitSeconds: upTo(answer.waitSeconds ?? 0, times) } : answer;

/** In seconds. A person who resumes the run does not wait for it; the epoch after closed lanes does. */
export function restOfWait({ clock }: Pick<World, "clock">, run: Run, lane: Run | undefined): number {
  if (lane?.waitUntil === undefined || lane.pc === 0 || lane.status !== "waiting") return 0;
  const isItsEpoch = lane.epoch === run.epoch || run.lanesClosedIn === run.epoch - 1;
  return isItsEpoch ? Math.max(0, Math.ceil((Date.parse(lane.waitUntil) - clock.now()) / 1_000)) : 0;
}
