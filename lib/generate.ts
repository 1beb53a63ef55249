/** A run from a program of one's own: a task in, files out. Prints nothing, and ends no process. */
import { setTimeout as delay } from "node:timers/promises";
import { outputTree, type RunTree } from "./control/files/run-tree.ts";
import { programOf } from "./control/program/stored-program.ts";
import { UserError } from "./core/errors.ts";
import type { Draft } from "./core/program/program.ts";
import { usdOf } from "./core/run/budget.ts";
import type { Event } from "./core/run/event.ts";
import type { Run, RunReason } from "./core/run/run.ts";
import { decodeText } from "./core/text/file-text.ts";
import type { DomainOptions } from "./generate-options.ts";
import { submissionFrom } from "./generate-submission.ts";
import { type LocalMachine, openLocalMachine } from "./local/open.ts";
import { follow, POLL_MS } from "./local/server/follow.ts";
import type { UnsealedConsent } from "./sandbox/permission.ts";

export interface Cost {
  usd: number;
  turns: number;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
}

export interface Generated {
  /** By path; text where the file is UTF-8, else bytes. */
  files: Record<string, string | Uint8Array>;
  run: Run;
  /** As it was planned, or given: it can be given to another run. */
  program: Draft;
  status: Run["status"];
  /** `unchecked`: completed, but not everything could be checked. */
  reason?: RunReason;
  cost: Cost;
}

/** The run ended before it was complete. What it made is here, and kept in its home, where it can be resumed. */
export class RunFailed extends Error {
  override readonly name = "L2mac.RunFailed";
  readonly kept: Generated;
  constructor(message: string, kept: Generated) {
    super(message);
    this.kept = kept;
  }
}

export async function generate(task: string, options: DomainOptions): Promise<Generated> {
  const { env = process.env, signal = new AbortController().signal } = options;
  const server = {
    apiKey: options.apiKey ?? env.OPENAI_API_KEY,
    baseUrl: options.baseUrl ?? env.OPENAI_BASE_URL ?? env.OPENAI_API_BASE,
  };
  const home = options.home ?? env.L2MAC_HOME ?? ".l2mac";
  const dailyUsd = dailyUsdFrom(options.dailyUsd ?? env.L2MAC_DAILY_USD);
  const machine = openLocalMachine({ home, env, dailyUsd, unsealed: unsealedBy(options, env), ...server });
  try {
    signal.throwIfAborted();
    const model = options.model ?? env.L2MAC_MODEL;
    const submitted = await machine.submit(await submissionFrom(task, { ...options, ...server, model, dailyUsd }));
    return await generatedBy(machine, await computed(machine, submitted, { signal, onEvent: options.onEvent }));
  } finally {
    machine.close();
  }
}

/** A program asks nobody. */
const unsealedBy = ({ unsealed }: DomainOptions, env: NonNullable<DomainOptions["env"]>): UnsealedConsent => ({
  permitted: () => unsealed ?? /^(1|true|yes|on)$/i.test(env.L2MAC_UNSEALED ?? ""),
});

/** A mistyped ceiling must not pass in silence. */
function dailyUsdFrom(given: number | string | undefined): number | undefined {
  if (given === undefined || given === "") return undefined;
  const dailyUsd = Number(given);
  if (dailyUsd > 0 && Number.isFinite(dailyUsd)) return dailyUsd;
  throw new UserError(`dailyUsd takes a number of US dollars above 0; "${given}" is none.`, { exitCode: 2 });
}

interface Watching {
  signal: AbortSignal;
  onEvent: ((event: Event) => void) | undefined;
}

async function computed(machine: LocalMachine, { id }: Run, { signal, onEvent }: Watching): Promise<Run> {
  const computing = machine.compute(id, signal);
  const done = computing.then(
    () => true,
    () => true,
  );
  if (onEvent) {
    await follow({
      registry: machine.registry,
      runId: id,
      after: 0,
      show: (events) => events.forEach(onEvent),
      isOver: () => Promise.race([done, Promise.resolve(false)]),
      pause: async () => void (await Promise.race([done, delay(POLL_MS)])),
    });
  }
  return computing;
}

async function generatedBy(machine: LocalMachine, run: Run): Promise<Generated> {
  const { status, reason } = run;
  const generated: Generated = {
    files: contentsOf(await outputTree(machine.files, run)),
    run,
    program: await programOf(machine, run),
    status,
    ...(reason ? { reason } : {}),
    cost: {
      usd: usdOf(run.microUsd),
      turns: run.turns,
      inputTokens: run.inputTokens,
      cachedTokens: run.cachedTokens,
      outputTokens: run.outputTokens,
    },
  };
  if (status === "completed") return generated;
  throw new RunFailed(`Run ${run.id} is ${status}: ${run.detail ?? reason ?? ""}`, generated);
}

const contentsOf = (tree: RunTree): Generated["files"] =>
  Object.fromEntries([...tree].map(([path, bytes]) => [path, decodeText(bytes) ?? bytes]));
