/** The daily budget of all runs together. */
import { createDynamoTable } from "../../../lib/aws/dynamo-table.ts";
import { MICRO } from "../../../lib/core/run/budget.ts";
import { systemClock } from "../../../lib/host/system-clock.ts";
import { dateOf } from "../../../lib/registry/daily-ledger.ts";
import { dayShardKey } from "../../../lib/registry/keys.ts";
import type { Stage } from "../stage.ts";
import { type Act, ask, compute, json, must, mustStand, SHORT, settled } from "./act.ts";

/** More than all acts together spend. */
export const DAILY_USD = 1_000;
const ALL = DAILY_USD * MICRO;

/** As if other runs had spent it. */
async function spend({ storage }: Stage, microUsd: number): Promise<void> {
  const { dynamo: client, tableName } = storage;
  const table = createDynamoTable({ client, tableName, clock: systemClock, random: Math.random });
  const key = dayShardKey(dateOf(Date.now()), 0);
  const books = (await table.get(key)) ?? {
    ...key,
    microUsd: 0,
    reservedMicroUsd: 0,
    overShare: 0,
    limitMicroUsd: ALL,
  };
  const [spent, over] = [Number(books.microUsd) + microUsd, Number(books.overShare) + microUsd];
  await table.transact([{ put: { ...books, microUsd: spent, overShare: over } }]);
}

async function onUsedUpDay<Answer>(stage: Stage, work: () => Promise<Answer>): Promise<Answer> {
  await spend(stage, ALL);
  try {
    return await work();
  } finally {
    await spend(stage, -ALL);
  }
}

export const usedUpDay: Act = {
  name: "a day that is used up stops a run, which goes on when there is room again",
  async play(stage) {
    const run = await onUsedUpDay(stage, async () => {
      const stopped = await compute(stage, { ...SHORT, price: { input: 2, output: 8 }, budget: { usd: 5 } });
      mustStand(stopped, "partial", "daily");
      must("It called no model", stopped.calls === 0 && stopped.microUsd === 0, stopped);
      const refused = await ask(stage, `POST /runs/${stopped.id}/resume`, { status: 409, body: {} });
      must("The refusal says why", String(json(refused).detail).includes("daily ceiling"), json(refused));
      const { day } = json(await ask(stage, `GET /runs/${stopped.id}`));
      must("The run shows how the day stands", day?.limitMicroUsd === ALL && day.microUsd >= ALL, day);
      return stopped;
    });
    await ask(stage, `POST /runs/${run.id}/resume`, { status: 202, body: {} });
    mustStand(await settled(stage, run.id), "completed");
  },
};
