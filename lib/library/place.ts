/** Opens the runs of a home for a program that calls the library. */
import { type LocalClient, openExistingRuns, openLocalClient } from "../client/in-process.ts";
import { UserError } from "../core/errors.ts";
import type { Run } from "../core/run/run.ts";
import { credentialsShownBy } from "../host/aws-credentials.ts";
import { makeOwnHome, whoseHome } from "../host/home-owner.ts";
import type { Environment } from "../host/user-folder.ts";
import { createConsent } from "../host/user-trust.ts";
import { withDefaultModel } from "../model/default-model.ts";
import { keysIn } from "../model/provider.ts";
import type { UnsealedConsent } from "../sandbox/permission.ts";
import type { ComputeOptions, PlaceOptions } from "./options.ts";

/** To compute runs: with the model server that the options name. */
export function openComputer(options: ComputeOptions & { model?: string | undefined }): Promise<LocalClient> {
  const { env = process.env, apiVersion, models, model } = options;
  const apiKey = options.apiKey ?? env.OPENAI_API_KEY;
  const baseUrl = options.baseUrl ?? env.OPENAI_BASE_URL ?? env.OPENAI_API_BASE;
  const home = homeOf(options, env);
  return openLocalClient({
    home,
    env,
    server: withDefaultModel({
      ...keysIn(env),
      apiKey,
      awsCredentials: credentialsShownBy(env),
      baseUrl,
      apiVersion,
      models,
      model: model ?? env.L2MAC_MODEL,
    }),
    dailyUsd: dailyUsdFrom(options.dailyUsd ?? env.L2MAC_DAILY_USD),
    unsealed: consentOf(home, options, env),
  });
}

/** To read and cancel runs: nothing is computed, and no home is made. */
export function openRuns(options: PlaceOptions): Promise<LocalClient> {
  const { env = process.env } = options;
  return openExistingRuns({ home: homeOf(options, env), env });
}

/** Throws where there is none. */
export async function foundRun(client: LocalClient, id: string): Promise<Run> {
  const run = await client.run(id.toUpperCase());
  if (run) return run;
  throw new UserError(`There is no run ${id} in ${client.home}.`, {
    exitCode: 2,
    remedy: { command: "list", args: [] },
  });
}

const homeOf = ({ home }: PlaceOptions, env: Environment): string => home ?? (env.L2MAC_HOME || ownHome(env));

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
const consentOf = (home: string, { unsealed }: ComputeOptions, env: Environment): UnsealedConsent => ({
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
