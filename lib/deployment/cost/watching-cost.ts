/** What it costs to watch a run for an hour, and what computing it costs beside its model. Pure. */
import { pollSeconds } from "../../core/run/watch-interval.ts";
import { PRICES } from "./prices.ts";

/** The most that watching may cost, as a share of computing. */
export const WATCHING_AIM = 0.1;

/** Of the example on the page: a turn brings events at its end. */
const TURN_SECONDS = 20;
const TURNS_PER_INSTRUCTION = 5;
/** An hour, after the first minutes. */
const AGE_MS = 3_600_000;
/** A request for events: at most so much. */
const POLL = { seconds: 0.05, logBytes: 1_500, readUnits: 2 };

export const pollsPerHour = (): number => {
  let polls = 0;
  for (let quiet = 0; quiet < TURN_SECONDS; polls += 1)
    quiet += pollSeconds({ now: AGE_MS, createdAt: 0, updatedAt: AGE_MS - quiet * 1_000 });
  return (polls * 3_600) / TURN_SECONDS;
};

export const watchingUsd = ({ apiMemoryMb }: { apiMemoryMb: number }): number =>
  pollsPerHour() *
  (PRICES.apiRequest +
    PRICES.invocation +
    POLL.seconds * (apiMemoryMb / 1_024) * PRICES.gbSecond +
    POLL.logBytes * PRICES.logByte +
    POLL.readUnits * PRICES.readUnit);

/** `execute` waits for the model all the time; the rest is charged by the instruction. Tests would come on top. */
export const computingUsd = ({ executeMemoryMb }: { executeMemoryMb: number }): number =>
  3_600 * (executeMemoryMb / 1_024) * PRICES.gbSecond +
  (3_600 / (TURN_SECONDS * TURNS_PER_INSTRUCTION)) * PRICES.instruction;
