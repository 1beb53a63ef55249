/** The handlers of the control unit. Lambda and the engine call this same factory. */
import type { World } from "../lib/control/world.ts";
import { createDeliver } from "./deliver.ts";
import { createExecute } from "./execute.ts";
import { createPlan } from "./plan.ts";
import { createRecordFailure } from "./record-failure.ts";

export type Handlers = ReturnType<typeof createHandlers>;

export const createHandlers = (world: World) => ({
  plan: createPlan(world),
  execute: createExecute(world),
  deliver: createDeliver(world),
  recordFailure: createRecordFailure(world),
});
