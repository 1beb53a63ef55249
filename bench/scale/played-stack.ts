/** The stack in virtual time: the handlers, the sweeper and the project's state machine, on the limited table. */
import { createHandlers } from "../../lambdas/handlers.ts";
import { createSweep, type Executions, type SweepCounts } from "../../lambdas/sweep.ts";
import { createRunCommands } from "../../lib/control/lifecycle/run-commands.ts";
import type { World } from "../../lib/control/world.ts";
import type { Clock } from "../../lib/core/ports.ts";
import type { Json } from "../../lib/core/text/json.ts";
import type { TaskFunction } from "../../lib/engine/asl-invoke.ts";
import { START_EXECUTION } from "../../lib/engine/asl-schema.ts";
import { createEngine, type ExecutionResult } from "../../lib/engine/engine.ts";
import { projectDefinition } from "../../lib/local/project-definition.ts";
import type { FunctionPool } from "./function-pool.ts";

export interface PlayedStackParts {
  world: World;
  clock: Clock;
  random: () => number;
  /** Of the account. Absent: it has as many executions as are needed. */
  pool?: FunctionPool;
  /** An execution is over. */
  onEnd: (runId: string, ending: ExecutionResult) => void;
}

const SWEEP_LIMIT_MS = 240_000;

export function createPlayedStack({ world, clock, random, pool, onEnd }: PlayedStackParts) {
  const handlers = createHandlers(world);
  const known = new Map<string, "running" | "ended" | "failed">();
  const task =
    <Input>(handler: (input: Input, context: Parameters<TaskFunction>[1]) => Promise<object>): TaskFunction =>
    async (payload, context) => {
      const work = async (): Promise<Json> => ({ ...(await handler(payload as Input, context)) }) as Json;
      return pool ? pool.run(work) : work();
    };
  const engine = createEngine({
    definition: projectDefinition(),
    clock,
    random,
    tasks: {
      plan: task(handlers.plan),
      execute: task(handlers.execute),
      deliver: task(handlers.deliver),
      "record-failure": task(handlers.recordFailure),
      [START_EXECUTION]: async (payload) => {
        const { Input } = payload as { Input: { runId: string; epoch: number } };
        await executions.start(Input.runId, Input.epoch);
        return {};
      },
    },
  });
  const executions: Executions = {
    async start(runId, epoch) {
      const name = `${runId}-${epoch}`;
      if (known.has(name)) return;
      known.set(name, "running");
      const { signal } = new AbortController();
      void engine.execute({ name, input: { runId, epoch }, signal }).then((ending) => {
        known.set(name, ending.status === "SUCCEEDED" ? "ended" : "failed");
        onEnd(runId, ending);
      });
    },
    find: async (runId, epoch) => known.get(`${runId}-${epoch}`) ?? "absent",
  };
  return {
    commands: createRunCommands({ world, executions }),
    sweep(onFailure: (runId: string, error: unknown) => void): Promise<SweepCounts> {
      const until = clock.now() + SWEEP_LIMIT_MS;
      const { signal } = new AbortController();
      return createSweep({ world, executions, onFailure })({ remainingMs: () => until - clock.now(), signal });
    },
  };
}
