/** Opens the instruction at the program counter: from its first turn, or from where the journal left it. */
import type { Run } from "../../core/run/run.ts";
import { instructionKey } from "../../registry/keys.ts";
import { executionTools } from "../../tools/toolbox.ts";
import { damagedItem } from "../files/verified-read.ts";
import { readTask } from "../program/stored-task.ts";
import { createCurrentModel } from "../turn/current-model.ts";
import { recover } from "../turn/instruction-state.ts";
import type { TakingTurn } from "../turn/take-turn.ts";
import type { Invocation, World } from "../world.ts";

export async function openInstruction(
  world: World,
  run: Run,
  invocation: Invocation,
): Promise<Omit<TakingTurn, "ask">> {
  const { registry } = world;
  const [document, instruction, previous, requirements, model] = await Promise.all([
    readTask(world.files, run.id),
    registry.instruction(run.id, run.pc),
    run.pc > 1 ? registry.instruction(run.id, run.pc - 1) : undefined,
    registry.requirements(run.id),
    world.model(run),
  ]);
  if (!instruction) throw damagedItem(instructionKey(run.id, run.pc));
  const startedAt = instruction.startedAt ?? new Date(world.clock.now()).toISOString();
  const state = await recover(world, {
    run,
    instruction: { ...instruction, startedAt },
    given: document.tests,
  });
  state.run = await registry.commit(run, {
    run: { status: "running" },
    instruction: { number: run.pc, set: { status: "running", startedAt } },
    events: [
      {
        type: "instruction_started",
        instruction: run.pc,
        title: instruction.title,
        attempt: run.attempt,
        resumedAtTurn: run.turn,
      },
    ],
  });
  const told = {
    ...{ document, instruction, total: run.instructions, requirements },
    ...(previous ? { previous } : {}),
    ...(run.givenTests ? { givenTests: run.givenTests } : {}),
  };
  const { declaration } = document.pack;
  // The same for the whole of an instruction, whichever invocation goes on with it.
  const tested = declaration.checks.tests && run.options.runTests;
  const tools = executionTools({ enabled: run.options.tools ?? declaration.tools, tested });
  return { world, document, state, tools, invocation, model: createCurrentModel(world, state, model), told };
}
