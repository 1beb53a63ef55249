/**
 * The cloud in memory, in virtual time: executions walked by the project's own engine, each invocation a
 * process of its own, a sweeper every five minutes, an API, and faults where the history says.
 */

import { createHandlers } from "../../lambdas/handlers.ts";
import { createSweep, type Executions } from "../../lambdas/sweep.ts";
import { cancel } from "../../lib/control/lifecycle/resume-and-cancel.ts";
import { createRunCommands } from "../../lib/control/lifecycle/run-commands.ts";
import type { World } from "../../lib/control/world.ts";
import { NotReady } from "../../lib/core/errors.ts";
import { SHORT_WAIT_MS } from "../../lib/core/limits.ts";
import type { Clock, Evaluator, Model } from "../../lib/core/ports.ts";
import type { Json } from "../../lib/core/text/json.ts";
import type { TaskFunction } from "../../lib/engine/asl-invoke.ts";
import { type Definition, START_EXECUTION } from "../../lib/engine/asl-schema.ts";
import type { ExecutionEvent } from "../../lib/engine/asl-walk.ts";
import { createEngine } from "../../lib/engine/engine.ts";
import { readProjectFont } from "../../lib/files/project-fonts.ts";
import { createRegistry, type Registry } from "../../lib/registry/registry.ts";
import { alwaysGreen } from "../doubles/machines.ts";
import { guardStorage, inRole, type RoleName, takeRefused } from "../roles/roles.ts";
import type { Chance } from "./chance.ts";
import type { Disturbance } from "./disturbance.ts";
import type { Stall } from "./fault.ts";
import { createMortalProcess } from "./mortal-process.ts";
import type { Note, Watched } from "./watched-storage.ts";

export interface PlayedCloud {
  /** Undisturbed: for those who look. */
  registry: Registry;
  world: World;
  /** Does something in a process of the API. */
  api<Answer>(work: (control: ReturnType<typeof createRunCommands>) => Promise<Answer>): Promise<Answer>;
  /** One call of the sweeper, on its schedule. */
  sweep(): Promise<void>;
  observed(): { invocations: number; kills: number; stateBytes: number; events: number[] };
}

export interface PlayedCloudParts {
  watched: Watched;
  disturbance: Disturbance;
  clock: Clock;
  chance: Chance;
  definition: Definition;
  model: Model;
  note: Note;
}

const invocationMs = 840_000;
const never = new AbortController().signal;

export function createPlayedCloud(parts: PlayedCloudParts): PlayedCloud {
  const { watched, disturbance, clock, chance, model, note } = parts;
  const { lasting } = watched;
  const seen = { kills: 0, stateBytes: 0, events: [] as number[] };
  const evaluator = disturbedEvaluator(disturbance);
  const worldOf = (storage: Pick<World, "files"> & { registry: Registry }, time: Clock): World => ({
    ...storage,
    clock: time,
    random: chance.share,
    model: async () => model,
    evaluator,
    readFont: readProjectFont,
    // Never reached: it is configured so that the books of the days are kept.
    dailyUsd: 1_000_000,
  });
  const world = worldOf({ files: lasting.files, registry: createRegistry({ table: lasting.table, clock }) }, clock);

  /** Work of a function in a process of its own, which may die. */
  async function inProcess<Answer>(
    role: RoleName,
    work: (world: World) => Promise<Answer>,
    stall?: Stall,
  ): Promise<Answer> {
    const onDeath = (): void => {
      seen.kills += 1;
    };
    const process = createMortalProcess({ watched, disturbance, clock, interfere, onDeath, stall });
    const { table, files } = guardStorage(process);
    const own = worldOf({ files, registry: createRegistry({ table, clock }) }, wakeful(clock, note));
    return Promise.race([inRole(role, work)(own), process.death]).finally(() => {
      for (const refused of takeRefused()) note("permissions", refused);
    });
  }

  async function interfere({ kind }: { kind: "expire" | "cancel" }, lane: number | undefined): Promise<void> {
    const { runs } = await world.registry.runs({ owner: OWNER, limit: 1 });
    const [run] = runs;
    if (!run) return;
    const { registry } = world;
    const claim = () => (lane === undefined ? registry.claim(run.id, run.epoch) : registry.claimLane(run, lane));
    const meddling = kind === "expire" ? claim() : cancel(world, run.id, run.status !== "waiting");
    await Promise.resolve<unknown>(meddling).catch(() => {});
  }

  const stallOf = (name: string, payload: Json): Stall | undefined =>
    name === "execute" && (payload as { lane?: number }).lane === 1 ? disturbance.nextStall() : undefined;

  const executions = playExecutions(parts, {
    invoke: (name, payload) => {
      const handler = handlerOf(name);
      return inProcess(handler, (own) => answerOf(own, handler, payload), stallOf(name, payload));
    },
    stopped: (events) => seen.events.push(events),
    seen: (bytes) => (seen.stateBytes = Math.max(seen.stateBytes, bytes)),
  });

  return {
    registry: world.registry,
    world,
    api: (work) => inProcess("api", (own) => work(createRunCommands({ world: own, executions }))),
    async sweep() {
      const remainingMs = (): number => 60_000;
      await inProcess("sweep", (own) =>
        createSweep({ world: own, executions, onFailure: () => {} })({ remainingMs, signal: never }),
      ).catch(() => {});
    },
    observed: () => ({ ...seen, invocations: disturbance.invocations() }),
  };
}

export const OWNER = "local";

type HandlerName = keyof ReturnType<typeof createHandlers>;

const handlerOf = (name: string): HandlerName =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()) as HandlerName;

async function answerOf(world: World, name: HandlerName, payload: Json): Promise<Json> {
  const deadline = world.clock.now() + invocationMs;
  const invocation = { signal: never, remainingMs: () => Math.max(0, deadline - world.clock.now()) };
  const handlers: Record<HandlerName, (input: never, invocation: never) => Promise<object>> = createHandlers(world);
  return { ...(await handlers[name](payload as never, invocation as never)) } as Json;
}

/** No long sleep inside an invocation: that would be paid for. */
const wakeful = (clock: Clock, note: Note): Clock => ({
  ...clock,
  async sleep(milliseconds, signal) {
    if (milliseconds > SHORT_WAIT_MS) note("I6", `a handler slept for ${milliseconds} ms`);
    return clock.sleep(milliseconds, signal);
  },
});

function disturbedEvaluator(disturbance: Disturbance): Evaluator {
  return {
    async evaluate(request) {
      const fault = disturbance.nextEvaluation();
      if (fault?.trouble === "not_ready") throw new NotReady("It is starting.", 90_000);
      if (fault) throw new Error("The evaluator is gone.");
      return alwaysGreen.evaluate(request);
    },
  };
}

interface Execution {
  status: "running" | "ended" | "failed";
  stop: AbortController;
}

class AlreadyExists extends Error {
  override readonly name = "StepFunctions.ExecutionAlreadyExistsException";
}
class NotStarted extends Error {
  override readonly name = "StepFunctions.ServiceException";
}

interface Observer {
  invoke: (name: string, payload: Json) => Promise<Json>;
  /** How many events the history of an execution had at its end. */
  stopped: (events: number) => void;
  seen: (stateBytes: number) => void;
}

function playExecutions({ disturbance, clock, chance, definition }: PlayedCloudParts, observer: Observer): Executions {
  const known = new Map<string, Execution>();
  const tasks: Record<string, TaskFunction> = {
    [START_EXECUTION]: async (payload) => {
      const { Name, Input } = payload as { Name: string; Input: { runId: string; epoch: number } };
      if (!begin(Name, Input)) throw new AlreadyExists(Name);
      return {};
    },
  };
  for (const name of ["plan", "execute", "deliver", "record-failure"]) {
    tasks[name] = (payload) => delivered(name, payload);
  }
  const observe = (event: ExecutionEvent): void => {
    if (event.kind === "left") observer.seen(event.bytes);
  };
  const engine = createEngine({ definition, tasks, clock, random: chance.share, observe });

  /** Once, late, or twice; and the execution may be stopped meanwhile. */
  async function delivered(name: string, payload: Json): Promise<Json> {
    const faults = disturbance.nextInvocation();
    for (const fault of faults) {
      if (fault.kind === "delay") await clock.sleep(fault.seconds * 1_000);
      if (fault.kind === "stop") for (const { stop } of known.values()) stop.abort();
      if (fault.kind === "duplicate") {
        void clock
          .sleep(fault.seconds * 1_000)
          .then(() => observer.invoke(name, payload))
          .catch(() => {});
      }
    }
    return observer.invoke(name, payload);
  }

  /** False: it is there already. */
  function begin(name: string, input: { runId: string; epoch: number }): boolean {
    const fault = disturbance.nextStart();
    if (fault?.when === "before") throw new NotStarted("Nothing was started.");
    const isNew = !known.has(name);
    if (isNew) {
      const execution: Execution = { status: "running", stop: new AbortController() };
      known.set(name, execution);
      void engine.execute({ name, input: { ...input }, signal: execution.stop.signal }).then(({ status, events }) => {
        execution.status = status === "SUCCEEDED" ? "ended" : "failed";
        observer.stopped(events);
      });
    }
    if (fault) throw new NotStarted("It was started, but its answer was lost.");
    return isNew;
  }

  return {
    async start(runId, epoch) {
      begin(`${runId}-${epoch}`, { runId, epoch });
    },
    find: async (runId, epoch) => known.get(`${runId}-${epoch}`)?.status ?? "absent",
  };
}
