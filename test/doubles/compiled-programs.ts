/** Programs compiled into state machines of this computer. */
import { createHandlers } from "../../lambdas/handlers.ts";
import { sha256 } from "../../lib/control/files/digest.ts";
import type { Invocation } from "../../lib/control/world.ts";
import type { HandlerAnswer } from "../../lib/core/program/advance.ts";
import { compileMachine } from "../../lib/core/program/machine/compile-machine.ts";
import { writeMachine } from "../../lib/core/program/machine/write-machine.ts";
import type { Draft } from "../../lib/core/program/program.ts";
import type { Definition } from "../../lib/engine/asl-definition.ts";
import type { TaskFunction } from "../../lib/engine/asl-invoke.ts";
import { START_EXECUTION } from "../../lib/engine/asl-schema.ts";
import type { ExecutionEvent } from "../../lib/engine/asl-walk.ts";
import { createEngine } from "../../lib/engine/engine.ts";
import { readControlUnit } from "../../lib/files/control-unit.ts";
import type { Machine } from "../../lib/local/machine.ts";
import { localDefinition } from "../../lib/local/project-definition.ts";

export function compiledText(draft: Draft): string {
  const written = writeMachine(compileMachine(draft, { controlUnit: readControlUnit(), sha256 }));
  if ("problem" in written) throw new Error(written.problem);
  return written.text;
}

export const compiledDefinition = (draft: Draft, loopLimit?: number): Definition =>
  localDefinition(compiledText(draft), loopLimit);

/** Computes a run by a machine until an execution starts no other one: the states that were entered, by epoch. */
export async function playMachine(machine: Machine, runId: string, definition: Definition): Promise<string[][]> {
  const { plan, execute, deliver, recordFailure } = createHandlers(machine.world);
  const task =
    <Input>(handler: (input: Input, invocation: Invocation) => Promise<HandlerAnswer>): TaskFunction =>
    async (payload, invocation) => ({ ...(await handler(payload as Input, invocation)) });
  const tasks = {
    ...{ plan: task(plan), execute: task(execute), deliver: task(deliver), "record-failure": task(recordFailure) },
    [START_EXECUTION]: async () => ({}),
  };
  const epochs: string[][] = [];
  const { clock } = machine.world;
  const observe = ({ kind, state }: ExecutionEvent): void => {
    if (kind === "entered") epochs.at(-1)?.push(state);
  };
  const engine = createEngine({ definition, tasks, clock, random: () => 0, observe, wait: async () => {} });
  const started = await machine.registry.run(runId);
  for (let epoch: number | undefined = started?.epoch; epoch !== undefined; ) {
    epochs.push([]);
    const { signal } = new AbortController();
    const ending = await engine.execute({ name: `${runId}-${epoch}`, input: { runId, epoch }, signal });
    if (ending.status !== "SUCCEEDED") throw new Error(`${ending.error}: ${ending.cause}`);
    epoch = ending.startedNext ? epoch + 1 : undefined;
  }
  return epochs;
}

/** Those of instructions, without what decides between them. */
export const namedStates = (epochs: string[][]): string[] => epochs.flat().filter((name) => /^\d/.test(name));
