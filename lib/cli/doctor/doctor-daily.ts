/** What `l2mac doctor` finds of the daily ceiling: how much of it today's runs have used. */

import { openExistingRuns } from "../../client/in-process.ts";
import { MICRO } from "../../core/run/budget.ts";
import { dayWords, leftAtBest } from "../../core/run/daily.ts";
import type { Finding } from "../../deployment/finding.ts";
import type { Shell } from "../display/shell.ts";
import { homeOf } from "../settings/settings.ts";

export async function dailyFindings(dailyUsd: number, shell: Shell): Promise<Finding[]> {
  const nothing = { microUsd: 0, reservedMicroUsd: 0 };
  const day = { ...nothing, ...(await readToday(dailyUsd, shell)), limitMicroUsd: Math.floor(dailyUsd * MICRO) };
  return [{ what: "today", state: leftAtBest(day) > 0 ? "ok" : "note", says: dayWords(day) }];
}

async function readToday(dailyUsd: number, shell: Shell) {
  const runs = await openExistingRuns({ home: homeOf(shell), env: shell.env, dailyUsd });
  try {
    return await runs.today();
  } finally {
    runs.close();
  }
}
