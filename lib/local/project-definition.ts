/** The project's own state machine, as one computer walks it. */
import { LOOPS_PER_EXECUTION } from "../core/limits.ts";
import { type Definition, loadDefinition } from "../engine/asl-definition.ts";
import { readControlUnit } from "../files/control-unit.ts";

const RESOURCES = {
  PlanFunction: "plan",
  ExecuteFunction: "execute",
  DeliverFunction: "deliver",
  RecordFailureFunction: "record-failure",
  StateMachineArn: "control-unit",
  Partition: "aws",
};

/** By limit. Compiling the expressions takes longer than anything else in opening a machine. */
const loaded = new Map<number, Definition>();

/** `loopLimit`: loops of one execution before the next epoch takes over. */
export function projectDefinition(loopLimit = LOOPS_PER_EXECUTION): Definition {
  const known = loaded.get(loopLimit);
  if (known) return known;
  const definition = loadDefinition(readControlUnit(), { ...RESOURCES, LoopLimit: String(loopLimit) });
  loaded.set(loopLimit, definition);
  return definition;
}
