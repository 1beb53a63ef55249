/** Who ends a run settles its lanes, whatever they have been through, with no more permissions than its role has. */
import { describe, expect, it } from "vitest";
import { createHandlers } from "../../../lambdas/handlers.ts";
import { createSweep } from "../../../lambdas/sweep.ts";
import { NotReady } from "../../../lib/core/errors.ts";
import type { Evaluator, ModelRequest } from "../../../lib/core/ports.ts";
import { fakeClock } from "../../doubles/fake-clock.ts";
import { obeyAtOnce, parts, submissionOf, textOf } from "../../doubles/lane-programs.ts";
import { nothingToCheck } from "../../doubles/machines.ts";
import { openedMachines } from "../../doubles/opened-machines.ts";
import { type Said, scriptedModel } from "../../doubles/scripted-model.ts";

const { opened } = openedMachines();

const HOUR_MS = 3_600_000;
const invocation = { remainingMs: () => 840_000, signal: new AbortController().signal };

interface LaneTrouble {
  evaluator?: Evaluator;
  script?: (request: ModelRequest) => Said;
}

/** The evaluator of the second lane is starting when its first step is done. */
function notReadyOnce(): LaneTrouble {
  let refusals = 1;
  const evaluate: Evaluator["evaluate"] = async (request, signal) => {
    if (!request.runId.endsWith("-2")) return nothingToCheck.evaluate(request, signal);
    refusals -= 1;
    if (refusals >= 0) throw new NotReady("starting", 1_000);
    return nothingToCheck.evaluate(request, signal);
  };
  return { evaluator: { evaluate } };
}

function crashedThreeTimes(): LaneTrouble {
  let crashes = 3;
  const script = (request: ModelRequest): Said => {
    const crashing = textOf(request).includes(": Part 2\n") && crashes > 0;
    if (crashing) crashes -= 1;
    if (crashing) throw new Error("out of memory");
    return obeyAtOnce(request);
  };
  return { script };
}

/** A run whose second lane was in trouble and is done: all that is left is to end the run. */
async function afterTrouble({ evaluator = nothingToCheck, script = obeyAtOnce }: LaneTrouble) {
  const clock = fakeClock();
  const machine = opened({ model: scriptedModel(script), evaluator, clock });
  const { id: runId } = await machine.submit(await submissionOf(parts(3), 2, {}));
  const handlers = createHandlers(machine.world);
  const execute = (lane: number) => handlers.execute({ runId, epoch: 1, lane, idle: 0 }, invocation);
  await handlers.plan({ runId, epoch: 1 }, invocation);
  await execute(1);
  for (let calls = 0; calls < 5; calls += 1) await execute(2).catch(() => {});
  for (let answer = await execute(1); answer.next !== "deliver"; answer = await execute(1)) clock.advance(HOUR_MS);
  const present = () => machine.registry.run(runId);
  return { machine, clock, handlers, runId, present };
}

type Troubled = Awaited<ReturnType<typeof afterTrouble>>;

const ENDINGS: [string, string, (run: Troubled) => Promise<unknown>][] = [
  ["delivered", "completed", ({ handlers, runId }) => handlers.deliver({ runId, epoch: 1 }, invocation)],
  [
    "recorded as failed",
    "failed",
    ({ handlers, runId }) => handlers.recordFailure({ runId, epoch: 1, error: "States.Timeout", cause: "late" }),
  ],
  [
    "recorded by the sweeper",
    "failed",
    async ({ machine, clock }) => {
      clock.advance(HOUR_MS);
      const executions = { start: async () => {}, find: async () => "failed" as const };
      return createSweep({ world: machine.world, executions, onFailure: () => {} })(invocation);
    },
  ],
  ["cancelled", "cancelled", ({ machine, runId }) => machine.cancel(runId)],
];

describe.each([
  ["the evaluator was not ready for a lane once", notReadyOnce],
  ["a lane crashed three times", crashedThreeTimes],
])("a run of which %s", (_, trouble) => {
  it.each(ENDINGS)("is %s", async (_, status, end) => {
    const run = await afterTrouble(trouble());
    await end(run);
    expect(await run.present()).toMatchObject({ status });
  });
});
