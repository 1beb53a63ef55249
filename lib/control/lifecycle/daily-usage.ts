/** What all runs together have used of the daily budget. */
import { MICRO } from "../../core/run/budget.ts";
import type { DayAccount } from "../../core/run/daily.ts";
import type { World } from "../world.ts";

export const dailyMicroUsd = (dailyUsd: number): number => Math.floor(dailyUsd * MICRO);

export type Ceiling = Pick<World, "dailyUsd" | "registry">;

/** Undefined: no daily budget is configured. */
export async function dailyUsage({ dailyUsd, registry }: Ceiling): Promise<DayAccount | undefined> {
  return dailyUsd === undefined ? undefined : { ...(await registry.today()), limitMicroUsd: dailyMicroUsd(dailyUsd) };
}
