/** Chooses the model of a run, resolves its profile, and opens its adapter. */
import type { z } from "zod";
import { UserError } from "../core/errors.ts";
import type { Model } from "../core/ports.ts";
import type { Run } from "../core/run/run.ts";
import { EXPECTED_MODELS, modelList } from "../core/turn/model-list.ts";
import { free, type ModelProfile, type Price } from "../core/turn/model-profile.ts";
import type { SignerFor } from "./bedrock/open-bedrock.ts";
import { endpointOf, isLoopback, isNearby, OPENAI_BASE_URL } from "./endpoint.ts";
import { KNOWN_MODELS } from "./known-models.ts";
import { extended, type ModelTable, parseModelTable } from "./model-table.ts";
import { resolveProfile } from "./models.ts";
import { probeServer } from "./probe/probe.ts";
import type { ServerProbe } from "./probe/server-probe.ts";
import { hasAccess, isCompatible, type Keys, keyFor, PROVIDERS, providerOf } from "./provider.ts";
import { REHEARSAL } from "./rehearsal-name.ts";

export interface ModelWish extends Keys {
  model?: string | undefined;
  baseUrl?: string | undefined;
  apiVersion?: string | undefined;
  contextWindow?: number | undefined;
  price?: Price | undefined;
  unpriced?: boolean | undefined;
  /** Why the model is asked, where none was named. */
  because?: string | undefined;
  /** What shows that there are AWS credentials. */
  awsCredentials?: string | undefined;
  /** Rows as they stand in a configuration file. */
  models?: z.infer<typeof ModelTable> | undefined;
  /** The model will not be asked: its key may be missing. */
  isDryRun?: boolean | undefined;
}

export interface ChosenModel {
  profile: ModelProfile;
  /** What was assumed, in words. */
  notes: string[];
}

/** A list has at least two. */
export interface ChosenModels extends ChosenModel {
  models?: ModelProfile[];
}

/** What is said of the window and the price is said of the first: the others are what is known of them. */
export async function chooseModels(wish: ModelWish): Promise<ChosenModels> {
  const [first, ...others] = wish.model === undefined ? [undefined] : namesIn(wish.model);
  const chosen = [await chooseModel({ ...wish, model: first })];
  const rest = { ...wish, contextWindow: undefined, price: undefined };
  for (const model of others) chosen.push(await chooseModel({ ...rest, model }));
  const [{ profile, notes } = await chooseModel(wish)] = chosen;
  if (others.length === 0) return { profile, notes };
  const named = chosen.flatMap((each) => each.notes.map((note) => `${each.profile.model}: ${note}`));
  return { profile, models: chosen.map((each) => each.profile), notes: named };
}

function namesIn(model: string): string[] {
  const wrong = wrongNames(model);
  if (wrong !== undefined) throw new UserError(wrong, { exitCode: 2 });
  return modelList(model) ?? [];
}

/** What is wrong with a list of models, regardless of each one. */
export function wrongNames(model: string): string | undefined {
  const names = modelList(model);
  if (!names) return `A model is ${EXPECTED_MODELS}; "${model}" is none.`;
  if (names.length === 1 || !names.includes(REHEARSAL)) return undefined;
  return "A rehearsal cannot be combined with other models.";
}

/** Probes the server only if it is on this computer or its network. */
export async function chooseModel(wish: ModelWish): Promise<ChosenModel> {
  const { baseUrl, apiKey } = wish;
  const provider = providerOf(wish.model, baseUrl);
  hostOf(wish);
  if (!wish.isDryRun) refuseMissingKey(wish);
  const probed =
    baseUrl && !provider && isNearby(baseUrl)
      ? await probeServer(baseUrl, { model: wish.model ?? "", ...(apiKey ? { apiKey } : {}) })
      : undefined;
  const model = wish.model ?? onlyModel(probed);
  const known = { ...knownAs(wish), ...(baseUrl ? { baseUrl } : {}), ...(probed ? { probed } : {}) };
  const api = provider ? { api: provider.api } : {};
  const answer = resolveProfile({ model, ...api, table: tableWith(wish.models), ...known });
  if ("problem" in answer) throw new UserError(answer.problem, { exitCode: 3, remedy: answer.remedy });
  return answer;
}

export function tableWith(models: unknown = {}): ModelTable {
  const parsed = parseModelTable(models);
  if ("table" in parsed) return extended(KNOWN_MODELS, parsed.table);
  throw new UserError(`The models that were given are wrong: ${parsed.problem}`, { exitCode: 3 });
}

/** Probes the server, also a remote one. */
export const lookAtServer = ({ baseUrl = OPENAI_BASE_URL, model = "", apiKey }: ModelWish): Promise<ServerProbe> =>
  probeServer(baseUrl, { model, ...(apiKey ? { apiKey } : {}) });

const knownAs = ({ contextWindow, price, unpriced }: ModelWish) => ({
  ...(contextWindow === undefined ? {} : { contextWindow }),
  ...(price ? { price } : {}),
  ...(unpriced ? { unpriced } : {}),
});

/** Host and port for messages: nothing secret. */
export function hostOf({ baseUrl, model = "" }: Pick<ModelWish, "baseUrl" | "model">): string {
  const provider = providerOf(model, baseUrl);
  if (provider?.name) return provider.name;
  const place = provider?.baseUrl ?? baseUrl;
  const endpoint = endpointOf({ model, ...(place ? { baseUrl: place } : {}) });
  if (endpoint) return endpoint.host;
  throw new UserError("The base URL of the model server is not an http or https address.", {
    exitCode: 3,
    remedy: `Set OPENAI_BASE_URL or --base-url to one like ${OPENAI_BASE_URL}`,
  });
}

export const isFree = (baseUrl: string | undefined): boolean => baseUrl !== undefined && isLoopback(baseUrl);

/** Whether there is what the model's server wants: its own key, or none because it is on this computer. */
export function hasKey({ baseUrl, model, ...keys }: ModelWish): boolean {
  return hasAccess(providerOf(model, baseUrl)?.api, keys) || isFree(baseUrl);
}

export const keyNameOf = ({ baseUrl, model }: Pick<ModelWish, "baseUrl" | "model">): string =>
  (providerOf(model, baseUrl) ?? PROVIDERS.responses).keyName;

export function refuseMissingKey(wish: ModelWish): void {
  const { baseUrl, model } = wish;
  if (hasKey(wish)) return;
  const keyName = keyNameOf(wish);
  if (keyName === PROVIDERS.converse.keyName) {
    throw new UserError("No region is set for Amazon Bedrock.", {
      exitCode: 3,
      remedy: "Set AWS_REGION in the environment, to us-east-1 for example, or try without a model: --rehearse",
    });
  }
  throw new UserError(`No API key is set for the model server at ${hostOf({ baseUrl, model })}.`, {
    exitCode: 3,
    remedy:
      keyName === PROVIDERS.responses.keyName
        ? "Set OPENAI_API_KEY in the environment (to any text, where the server wants none), or try without a model: --rehearse"
        : `Set ${keyName} in the environment, or try without a model: --rehearse`,
  });
}

/** A run keeps its initial price: one that began on a free server must not continue on one that charges. */
export function refusePricedServer(run: Run, server: string | undefined): void {
  const { price } = run.profile;
  const wasFree = price?.input === 0 && price.output === 0;
  if (!wasFree || isFree(server) || !isFree(run.options.baseUrl)) return;
  throw new UserError(
    `This run began on this computer's own model, which is free; ${hostOf({ baseUrl: server })} is not.`,
    {
      exitCode: 2,
      remedy: "Give --base-url as it was, or start a new run there with --from and the files so far.",
    },
  );
}

function onlyModel(probed: ServerProbe | undefined): string {
  const [model, ...others] = probed?.models ?? [];
  if (model !== undefined && others.length === 0) return model;
  const named = model === undefined ? "" : ` The server has ${[model, ...others].slice(0, 5).join(", ")}.`;
  throw new UserError(`No model is chosen.${named}`, {
    exitCode: 3,
    remedy: "Give --model M, or set L2MAC_MODEL; or try without a model: --rehearse",
  });
}

const REHEARSAL_WINDOW = 128_000;
const REHEARSAL_OUTPUT = 16_384;

export const rehearsalProfile = (contextWindow = REHEARSAL_WINDOW): ModelProfile => ({
  model: REHEARSAL,
  contextWindow,
  maxOutputTokens: Math.min(REHEARSAL_OUTPUT, Math.floor(contextWindow / 2)),
  price: free,
  convention: "native",
  outputLimit: "max_tokens",
  temperature: true,
  parallelToolCalls: true,
  requiredToolChoice: true,
});

export const isRehearsal = (run: Pick<Run, "profile">): boolean => run.profile.model === REHEARSAL;

export interface ModelAccess extends Keys, Pick<ModelWish, "baseUrl"> {
  /** The folder of scenes that rehearsals play. */
  rehearsals: string;
  /** Absent: nothing is signed here, and Bedrock is not asked. */
  signerFor?: SignerFor | undefined;
}

/** What is needed of a run. */
export interface Openable extends Pick<Run, "profile"> {
  options: Pick<Run["options"], "baseUrl" | "apiVersion">;
}

/** `baseUrl`: the current address of the server, if it is not the one that the run began with. */
export async function openModel(
  run: Openable,
  { rehearsals, baseUrl, signerFor, ...keys }: ModelAccess,
): Promise<Model> {
  if (isRehearsal(run)) {
    const { createRehearsalModel } = await import("./rehearsal/player.ts");
    return createRehearsalModel({ rehearsals, now: Date.now });
  }
  const { profile } = run;
  if (profile.api === "converse" || profile.api === "bedrock-chat") {
    refuseMissingKey({ ...keys, model: profile.model });
    const { openBedrock } = await import("./bedrock/open-bedrock.ts");
    return openBedrock(profile, { region: keys.awsRegion ?? "", endpoint: keys.awsEndpoint, signerFor });
  }
  if (isCompatible(profile.api)) {
    refuseMissingKey({ ...keys, model: profile.model });
    const { openCompatible } = await import("./open-compatible.ts");
    return openCompatible(profile, profile.api, keys);
  }
  if (profile.api) return openProtocol(profile, profile.api, keys);
  const { apiKey } = keys;
  // Loaded late: the library is large, and most commands call no model.
  const { createOpenAiModel } = await import("./openai.ts");
  const { apiVersion } = run.options;
  const server = baseUrl ?? run.options.baseUrl;
  refuseMissingKey({ baseUrl: server, apiKey, model: run.profile.model });
  return createOpenAiModel({
    profile: run.profile,
    ...(server ? { baseUrl: server } : {}),
    ...(apiKey ? { apiKey } : {}),
    ...(apiVersion ? { apiVersion } : {}),
  });
}

/** The provider itself, also if the base URL is now that of another server. */
async function openProtocol(profile: ModelProfile, api: "responses" | "messages", keys: Keys): Promise<Model> {
  const { createProtocolModel } = await import("./protocols/protocol.ts");
  const { protocols } = await import("./protocols/protocols.ts");
  refuseMissingKey({ ...keys, model: profile.model });
  return createProtocolModel(protocols[api], { profile, ...keyFor(api, keys) });
}
