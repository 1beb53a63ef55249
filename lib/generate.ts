/** Computes a task for a program that calls the library. Prints nothing, and ends no process. */
import type { Tree } from "./client/attach-trees.ts";
import { type LocalClient, openLocalClient } from "./client/in-process.ts";
import { UserError } from "./core/errors.ts";
import { type Draft, draftOf } from "./core/program/program.ts";
import { usdOf } from "./core/run/budget.ts";
import type { Event } from "./core/run/event.ts";
import type { Run, RunReason } from "./core/run/run.ts";
import { decodeText } from "./core/text/file-text.ts";
import type { DomainOptions } from "./generate-options.ts";
import { requestFrom } from "./generate-request.ts";
import { credentialsShownBy } from "./host/aws-credentials.ts";
import { makeOwnHome, whoseHome } from "./host/home-owner.ts";
import type { Environment } from "./host/user-folder.ts";
import { createConsent } from "./host/user-trust.ts";
import { withDefaultModel } from "./model/default-model.ts";
import { keysIn } from "./model/provider.ts";
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
  const { env = process.env, signal = new AbortController().signal, onEvent } = options;
  const apiKey = options.apiKey ?? env.OPENAI_API_KEY;
  const baseUrl = options.baseUrl ?? env.OPENAI_BASE_URL ?? env.OPENAI_API_BASE;
  const { apiVersion, models } = options;
  const home = options.home ?? (env.L2MAC_HOME || ownHome(env));
  const client = await openLocalClient({
    home,
    env,
    server: withDefaultModel({
      ...{ ...keysIn(env), apiKey, awsCredentials: credentialsShownBy(env) },
      ...{ baseUrl, apiVersion, models, model: options.model ?? env.L2MAC_MODEL },
    }),
    dailyUsd: dailyUsdFrom(options.dailyUsd ?? env.L2MAC_DAILY_USD),
    unsealed: consentOf(home, options, env),
  });
  try {
    signal.throwIfAborted();
    const { body, trees } = await requestFrom(task, { ...options, model: options.model ?? env.L2MAC_MODEL });
    const { id } = await client.submit(body, trees);
    const show = (events: Event[]): void => {
      for (const event of events) onEvent?.(event);
    };
    return await resultOf(client, await client.compute(id, { after: 0, show, signal }));
  } finally {
    client.close();
  }
}

/** Of this folder, where it is not one that came along with it. */
function ownHome(env: Environment): string {
  const place = { home: ".l2mac", env };
  if (whoseHome(place) === "foreign") {
    throw new UserError("The runs in .l2mac do not have the mark of this user.", {
      exitCode: 3,
      remedy: { command: "trust", args: [], note: "if they are yours; else give home, or set L2MAC_HOME" },
    });
  }
  makeOwnHome(place);
  return place.home;
}

/** A program has no terminal to ask at. */
const consentOf = (home: string, { unsealed }: DomainOptions, env: Environment): UnsealedConsent => ({
  kept: createConsent({ home, env }),
  permitted: () => unsealed ?? /^(1|true|yes|on)$/i.test(env.L2MAC_UNSEALED ?? ""),
});

/** Throws at a ceiling that is no amount. */
function dailyUsdFrom(given: number | string | undefined): number | undefined {
  if (given === undefined || given === "") return undefined;
  const dailyUsd = Number(given);
  if (dailyUsd > 0 && Number.isFinite(dailyUsd)) return dailyUsd;
  throw new UserError(`dailyUsd takes a number of US dollars above 0; "${given}" is none.`, { exitCode: 2 });
}

async function resultOf(client: LocalClient, run: Run): Promise<Generated> {
  const { status, reason } = run;
  const generated: Generated = {
    files: contentsOf(await client.output(run)),
    run,
    program: draftOf(await client.program(run.id)),
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

const contentsOf = (tree: Tree): Generated["files"] =>
  Object.fromEntries([...tree].map(([path, bytes]) => [path, decodeText(bytes) ?? bytes]));
