/** The daily budget of all runs: today's usage, reservations within it, and what a run does when it is spent. */
import { UserError } from "../../core/errors.ts";
import { OUTPUT_FLOOR_TOKENS } from "../../core/limits.ts";
import type { UsedUpDay } from "../../core/run/budget.ts";
import { type DayAccount, isPriced, leftAtBest, secondsForRoom, usedUpWords } from "../../core/run/daily.ts";
import type { Run } from "../../core/run/run.ts";
import type { Price } from "../../core/turn/model-profile.ts";
import { dateOf } from "../../registry/daily-ledger.ts";
import type { ReservationRequest } from "../../registry/reserve.ts";
import { commitRun, type StepState } from "../turn/step-state.ts";
import type { World } from "../world.ts";
import { type Ceiling, dailyMicroUsd, dailyUsage } from "./daily-usage.ts";
import type { Ending } from "./ending.ts";
import { outlastsMinutes, waitCommit } from "./wait.ts";

/** For calls at this price: free models have no budget. */
export const dailyUsageAtPrice = async (ceiling: Ceiling, price: Price | undefined): Promise<DayAccount | undefined> =>
  isPriced(price) ? dailyUsage(ceiling) : undefined;

/** As the run meets it: what is left of its own lease is its to spend. */
export async function dailyUsageOf(world: Pick<World, "clock"> & Ceiling, run: Run): Promise<DayAccount | undefined> {
  const day = await dailyUsageAtPrice(world, run.profile.price);
  const { lease } = run;
  if (!day || !lease || run.reservedOn !== dateOf(world.clock.now()) || lease.limitMicroUsd !== day.limitMicroUsd)
    return day;
  const own = Math.max(0, lease.from + lease.microUsd - run.microUsd);
  return { ...day, microUsd: day.microUsd - own, reservedMicroUsd: Math.max(0, day.reservedMicroUsd - own) };
}

/** Undefined: another run was faster, so look again at what is left. Throws Held where other lanes of the run have it. */
export async function reserveWithinBudgets(
  { registry, dailyUsd }: World,
  run: Run,
  { reservation, invocationMs }: ReservationRequest,
): Promise<Run | undefined> {
  if (dailyUsd === undefined || reservation.microUsd === 0) return registry.reserve(run, reservation, invocationMs);
  return registry.reserveToday(run, reservation, { invocationMs, dailyMicroUsd: dailyMicroUsd(dailyUsd) });
}

/** Waits while other runs may release what they reserved; otherwise the run ends for today. */
export async function onDailyBudgetSpent(
  world: World,
  state: StepState,
  { detail, neededMicroUsd, mayReturn, isBeyondEveryDay }: UsedUpDay,
): Promise<{ kind: "wait"; seconds: number } | { kind: "end"; ending: Ending }> {
  const { run } = state;
  const now = world.clock.now();
  const heldSince = run.heldSince ?? now;
  const seconds = mayReturn ? secondsForRoom({ heldMs: now - heldSince, random: world.random() }) : undefined;
  if (seconds === undefined) {
    // More than a whole day has: waiting for another day would not help.
    const needed = isBeyondEveryDay ? {} : { neededMicroUsd };
    return { kind: "end", ending: { status: "partial", reason: "daily", detail, ...needed } };
  }
  const why =
    "The rest of the daily ceiling of all runs together is reserved for calls in flight; some of it may return.";
  const tooLate = outlastsMinutes(world, run, { why, seconds });
  if (tooLate) return { kind: "end", ending: tooLate };
  await commitRun(world, state, waitCommit(world, { reason: "daily", why, seconds, run: { heldSince } }));
  return { kind: "wait", seconds };
}

/** Why a run cannot go on today: the day has no room for its next call, as far as that is known. */
export async function dailyBudgetError(
  world: World,
  run: Run,
  command: "resume" | "approve" = "resume",
): Promise<UserError | undefined> {
  const { price } = run.profile;
  if (world.dailyUsd !== undefined && !price) return unknownCost(run);
  const day = await dailyUsageAtPrice(world, price);
  const needed = run.neededMicroUsd ?? (price?.output ?? 0) * OUTPUT_FLOOR_TOKENS;
  if (!day || leftAtBest(day) >= needed) return undefined;
  return new UserError(usedUpWords(day, needed), { exitCode: 7, remedy: { command, args: [run.id] } });
}

const unknownCost = ({ id }: Run): UserError =>
  new UserError(
    `What run ${id} costs is unknown (--unpriced), so that the daily ceiling of all runs together could not be kept.`,
    { exitCode: 2, remedy: "Submit the task again, with --price IN,OUT." },
  );
