/** A server with a run in each of the states that a page explains: completed, waiting for a person, waiting for a server, stuck, at its ceiling. */
import { NotReady } from "../../../lib/core/errors.ts";
import type { Evaluator } from "../../../lib/core/ports.ts";
import { aServer, followed, type TestServer } from "../../../test/api/served.ts";
import { aVerdict } from "../../../test/doubles/machines.ts";

export interface RehearsedRuns {
  server: TestServer;
  completed: string;
  approval: string;
  stuck: string;
  ceiling: string;
  asleep: string;
}

const TASK = "Keep a tally of what I spend";
const RED = aVerdict({
  tests: {
    ...{ status: "failed", passed: 3, failed: 2 },
    cases: [
      { name: "adds cents up exactly", status: "failed", message: "expected 30, got 29.999999999999996" },
      { name: "refuses what is no amount", status: "failed", message: "expected a Problem, and there was none" },
    ],
  },
});
const NOT_READY_MS = 25 * 60_000;

/** `checks`: what finds the completed one fine. */
export async function rehearsedRuns(checks: Evaluator): Promise<RehearsedRuns> {
  let evaluate = checks.evaluate;
  const server = await aServer({ evaluator: { evaluate: (...asked) => evaluate(...asked) } });
  const begin = async (more: Record<string, unknown> = {}): Promise<string> =>
    (await server.post("/runs", { task: TASK, model: "rehearsal", ...more })).json.id;
  const still = async (id: string): Promise<string> => {
    await followed(server, id);
    return id;
  };
  const completed = await still(await begin({ name: "tally" }));
  const approval = await still(await begin({ name: "tally-with-approval", approve: "plan" }));
  const ceiling = await still(await begin({ name: "tally-in-few-turns", budget: { usd: 5, turns: 12 } }));
  evaluate = async () => RED;
  const stuck = await still(await begin({ name: "tally-in-circles" }));
  evaluate = async () => {
    throw new NotReady("its image is being loaded", NOT_READY_MS);
  };
  const asleep = await begin({ name: "tally-later" });
  await waits(server, asleep);
  return { server, completed, approval, stuck, ceiling, asleep };
}

async function waits(server: TestServer, id: string): Promise<void> {
  for (let after = 0; ; ) {
    const { json } = await server.ask(`/runs/${id}/events?wait=20&after=${after}`);
    if (json.status === "waiting") return;
    after = json.next;
  }
}
