/** Public entry point: the rehearsed deployment, actions of its users, and planned failures. */
export { ask, json, mustStand, settled, submit } from "./acts/act.ts";
export { makeOverdue } from "./acts/repair.ts";
export { zipOf } from "./acts/whole-run.ts";
export { createDisturbances, type Disturbances, type PlannedDisturbance } from "./disturbances.ts";
export type { FunctionProcess } from "./lambda/function-process.ts";
export type { Hop } from "./parts.ts";
export type { AwsCall, CallTrouble } from "./proxy/proxy.ts";
export { ServiceError } from "./service-error.ts";
export { openStage, type Stage } from "./stage.ts";
