/** The template's state machine: its definition, executed by the engine, with calls made as its role. */
import { randomUUID } from "node:crypto";
import { HANDLER_ANSWER_BYTES, STATE_BYTES } from "../../../lib/core/limits.ts";
import type { Clock } from "../../../lib/core/ports.ts";
import type { Json } from "../../../lib/core/text/json.ts";
import { loadDefinition } from "../../../lib/engine/asl-definition.ts";
import type { ExecutionEvent } from "../../../lib/engine/asl-walk.ts";
import { createEngine, type ExecutionResult } from "../../../lib/engine/engine.ts";
import type { DeployedResource, Deployment, Functions, Hop, Iam } from "../parts.ts";
import { ServiceError } from "../service-error.ts";
import { decideStart, isName } from "./execution-names.ts";
import { assertSetUp, traceExecution } from "./state-machine-role.ts";
import { createTasks, type TaskParts } from "./task-calls.ts";

export interface StateMachineParts {
  deployed: Deployment;
  /** Of the template: the state machine. */
  resource: DeployedResource;
  /** Its definition, with nothing left to fill in. */
  definition: string;
  iam: Iam;
  functions: Functions;
  /** Naps may take none (see the doubles' hasty clock); long sleeps are time-outs, which must not come early. */
  clock: Clock;
  random: () => number;
  hop?: (hop: Hop) => void;
  /** What is to go wrong with the calls of its tasks. */
  disturbed?: TaskParts["disturbed"];
}

export interface Execution {
  name: string;
  executionArn: string;
  /** JSON text, as it was given. */
  input: string;
  status: "RUNNING" | ExecutionResult["status"];
  /** In milliseconds since 1970. */
  startedAt: number;
  stoppedAt?: number;
  output?: Json;
  error?: string;
  cause?: string;
}

export interface StateMachine {
  arn: string;
  start(asked: { name?: string | undefined; input: string }): Execution;
  find(executionArn: string): Execution | undefined;
  /** As in the console: what it has invoked continues, and its answer is dropped. */
  abort(name: string): Promise<void>;
  executions(): readonly Execution[];
  /** The execution of that name is over, and those that it led to; without a name, all are. Throws where a state was too large, or the rehearsal is broken. */
  settled(name?: string): Promise<void>;
  /** Executions under way keep their definition; the next ones have the new one. */
  update(next: Pick<StateMachineParts, "deployed" | "resource" | "definition">): void;
  /** Of all executions that are over: what is billed, and what is limited. */
  counts(): { executions: number; transitions: number; events: number; largestState: number };
  stop(): Promise<void>;
}

interface RunningExecution extends Execution {
  over: Promise<ExecutionResult>;
  aborting: AbortController;
  next?: string;
}

export function createStateMachine(parts: StateMachineParts): StateMachine {
  const { resource, iam, clock, random, hop } = parts;
  const arn = resource.ref;
  const known = new Map<string, RunningExecution>();
  const counted = { executions: 0, transitions: 0, events: 0, largestState: 0 };
  const faults: string[] = [];
  const stopped = new AbortController();
  let engine = engineOf(parts);

  function engineOf(defined: StateMachineParts) {
    assertSetUp(iam, defined.resource);
    const tasks = createTasks({ ...defined, arn, start: (name, input) => startOf(name, input), broken });
    return createEngine({ ...{ tasks, clock, random, observe }, definition: loadDefinition(defined.definition, {}) });
  }

  function broken(error: unknown): void {
    faults.push(`The rehearsal is broken: ${error instanceof Error ? error.stack : error}`);
  }

  function observe(seen: ExecutionEvent): void {
    const { execution: from, state, kind } = seen;
    if (kind === "retrying" || kind === "caught")
      hop?.({ from: "Step Functions", to: state, what: `${kind} in ${from}`, answer: seen.error });
    if (kind !== "left") return;
    counted.largestState = Math.max(counted.largestState, seen.bytes);
    if (seen.bytes > HANDLER_ANSWER_BYTES)
      faults.push(
        `${state} of ${from} holds ${seen.bytes} bytes; ids and counters need no more than ${HANDLER_ANSWER_BYTES}.`,
      );
  }

  function startOf(name: string, input: string): RunningExecution {
    const before = known.get(name);
    const executionArn = executionArnOf(arn, name);
    const decision = decideStart(before, input);
    if (before && decision === "same") return before;
    if (decision === "refused")
      throw new ServiceError("ExecutionAlreadyExists", 400, `Execution Already Exists: '${executionArn}'`);
    traceExecution(iam, resource);
    const aborting = new AbortController();
    const signal = AbortSignal.any([stopped.signal, aborting.signal]);
    const over = engine.execute({ name, input: JSON.parse(input) as Json, signal });
    const status = "RUNNING" as const;
    const running: RunningExecution = {
      ...{ name, executionArn, input, status, over, aborting },
      startedAt: clock.now(),
    };
    known.set(name, running);
    running.over = over.then((ending) => finish(running, ending));
    hop?.({ from: "Step Functions", to: name, what: "start", answer: status });
    return running;
  }

  function finish(running: RunningExecution, ending: ExecutionResult): ExecutionResult {
    const { status, output, error, cause, startedNext } = ending;
    Object.assign(running, { status, stoppedAt: clock.now() });
    Object.assign(
      running,
      output !== undefined && { output },
      error !== undefined && { error },
      cause !== undefined && { cause },
    );
    if (startedNext) running.next = startedNext.name;
    counted.executions += 1;
    counted.transitions += ending.transitions;
    counted.events += ending.events;
    hop?.({ from: "Step Functions", to: running.name, what: "end", answer: error ?? status });
    return ending;
  }

  return {
    arn,
    start({ name = randomUUID(), input }) {
      refuseWrong(name, input);
      return startOf(name, input);
    },
    find: (executionArn) => [...known.values()].find((execution) => execution.executionArn === executionArn),
    async abort(name) {
      const running = known.get(name);
      running?.aborting.abort();
      await running?.over;
    },
    executions: () => [...known.values()],
    update(next) {
      engine = engineOf({ ...parts, ...next });
    },
    async settled(name) {
      await (name === undefined ? allOf(known) : chainOf(known, name));
      if (faults.length > 0) throw new Error(faults.join("\n"));
    },
    counts: () => ({ ...counted }),
    async stop() {
      stopped.abort();
      await allOf(known);
    },
  };
}

/** arn:aws:states:region:account:stateMachine:name → arn:aws:states:region:account:execution:name:execution */
export const executionArnOf = (stateMachineArn: string, name: string): string =>
  `${stateMachineArn.replace(":stateMachine:", ":execution:")}:${name}`;

function refuseWrong(name: string, input: string): void {
  if (!isName(name)) throw new ServiceError("InvalidName", 400, `Invalid Name: '${name}'`);
  if (Buffer.byteLength(input) > STATE_BYTES || !isJson(input))
    throw new ServiceError("InvalidExecutionInput", 400, "Invalid State Machine Execution Input");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Those too that start meanwhile. */
async function allOf(known: ReadonlyMap<string, RunningExecution>): Promise<void> {
  for (;;) {
    const open = [...known.values()].filter(({ status }) => status === "RUNNING");
    if (open.length === 0) return;
    await Promise.all(open.map(({ over }) => over));
  }
}

async function chainOf(known: ReadonlyMap<string, RunningExecution>, name: string): Promise<void> {
  for (let next: string | undefined = name; next !== undefined; next = known.get(next)?.next) {
    if (!known.has(next)) throw new Error(`There is no execution ${next}.`);
    await known.get(next)?.over;
  }
}
