/** Opens the instruction at the program counter: at its first turn, or where the journal ends. */
import { defined } from "../../core/defined.ts";
import { asksForEvidence, hasExaminer } from "../../core/evidence/evidence-kind.ts";
import type { Instruction } from "../../core/program/program.ts";
import { activeMsAt } from "../../core/run/active-time.ts";
import type { Run } from "../../core/run/run.ts";
import { instructionKey } from "../../registry/keys.ts";
import { executionTools } from "../../tools/toolbox.ts";
import { examinedRequirements } from "../examiner/examined-files.ts";
import { damagedItem } from "../files/verified-read.ts";
import { neededBy } from "../program/needed.ts";
import { readProgramTree } from "../program/stored-program.ts";
import { readTask } from "../program/stored-task.ts";
import { createCurrentModel } from "../turn/current-model.ts";
import type { OpenStep } from "../turn/open-step.ts";
import { commitRun, recoverStep } from "../turn/step-state.ts";
import type { Invocation, World } from "../world.ts";

const AFTER_SPLIT = "the instruction was split into smaller ones; this is the first of them";

export async function openInstruction(world: World, run: Run, invocation: Invocation): Promise<OpenStep> {
  const step = await readInstruction(world, run, invocation);
  await commitRun(world, step.state, startedCommit(step, run));
  return step;
}

/** The same after a wait: that it was begun is said already. */
export async function openAgain(world: World, run: Run, invocation: Invocation): Promise<OpenStep> {
  const step = await readInstruction(world, run, invocation);
  await commitRun(world, step.state, { ...startedCommit(step, run), events: [] });
  return step;
}

/** What its beginning changes. */
export function startedCommit({ state: { instruction, entries } }: OpenStep, { pc, attempt }: Run) {
  const { title = "", startedAt, activeMsAtStart } = instruction ?? {};
  const set = { status: "running" as const, ...defined({ startedAt, activeMsAtStart }) };
  // A turn that was answered and is not committed is still to be done.
  const resumedAtTurn = entries.length;
  return {
    run: { status: "running" as const },
    instruction: { number: pc, set },
    events: [{ type: "instruction_started" as const, instruction: pc, title, attempt, resumedAtTurn }],
  };
}

/** Nothing is committed yet. */
export async function readInstruction(world: World, run: Run, invocation: Invocation): Promise<OpenStep> {
  const { registry } = world;
  const instruction = await registry.instruction(run.id, run.pc);
  if (!instruction) throw damagedItem(instructionKey(run.id, run.pc));
  const program = run.walk && (await readProgramTree(world.files, run.id, run.walk.program));
  const [document, needed, requirements, model, baseline] = await Promise.all([
    readTask(world.files, run.id),
    neededBy(registry, run.id, { step: instruction, program }),
    registry.requirements(run.id),
    world.model(run),
    run.knownRed ? registry.baseline(run.id) : undefined,
  ]);
  const start = startOf(instruction, run, world.clock.now());
  const state = await recoverStep(world, {
    run,
    instruction: { ...instruction, ...start },
    given: document.tests,
  });
  const context = {
    ...{
      document,
      instruction,
      total: totalOf(run),
      requirements,
      needed,
      isProving: asksForEvidence(run) && !hasExaminer(run),
    },
    // Only of a run that an earlier version began: the checks are the examiner's.
    ...(run.options.evidence === "strict" && !hasExaminer(run) ? { isStrict: true } : {}),
    ...(run.givenTests ? { givenTests: run.givenTests } : {}),
    ...(baseline ? { knownRed: baseline.known } : {}),
    ...(hasExaminer(run) ? { examined: await examinedRequirements(world, run) } : {}),
  };
  const { declaration } = document.pack;
  // The tools stay the same in all invocations of an instruction.
  const tested = declaration.checks.tests && run.options.runTests;
  const tools = executionTools({
    enabled: run.options.tools ?? declaration.tools,
    tested,
    proves: asksForEvidence(run),
  });
  const step = { world, invocation, document, state, tools, model: createCurrentModel(world, state, model), context };
  const { split } = run;
  const isPart = split !== undefined && split.first === run.pc && split.last > split.first;
  const opened = isPart ? { ...step, restartedBecause: AFTER_SPLIT } : step;
  return baseline ? { ...opened, baseline } : opened;
}

/** How many steps a program with more kinds than `do` takes, only its end says. */
export const totalOf = ({ instructions, walk }: Run): string => (walk ? "an open number" : String(instructions));

/** When it began, and how long its run had been computed by then. */
const startOf = (
  { startedAt, activeMsAtStart }: Instruction,
  run: Run,
  now: number,
): Pick<Instruction, "startedAt" | "activeMsAtStart"> =>
  startedAt === undefined
    ? { startedAt: new Date(now).toISOString(), activeMsAtStart: activeMsAt(run, now) }
    : { startedAt, ...defined({ activeMsAtStart }) };
