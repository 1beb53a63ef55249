/** Resolves a model's profile: from the user, its server, the published table, or a conservative guess. Pure. */
import { type Api, free, type ModelProfile, type Price } from "../core/turn/model-profile.ts";
import { isLoopback } from "./endpoint.ts";
import { KNOWN_AS_OF } from "./known-models.ts";
import { isSameModel, type KnownModel, lookUp, type ModelTable } from "./model-table.ts";
import type { ServerProbe } from "./probe/server-probe.ts";

export interface ProfileQuestion {
  model: string;
  baseUrl?: string;
  /** From the user. */
  contextWindow?: number;
  price?: Price;
  /** The user accepts that the cost is unknown and no USD ceiling applies. */
  unpriced?: boolean;
  table: ModelTable;
  /** The provider's own protocol, where it is asked in that. */
  api?: Api;
  /** What the server reports about itself, if it was probed. */
  probed?: ServerProbe;
}

export type ProfileAnswer = { profile: ModelProfile; notes: string[] } | { problem: string; remedy: string };

/** Used if the window is unknown: small enough for most hosted models, and for local servers with their defaults. */
const UNKNOWN_REMOTE_WINDOW = 32_768;
const UNKNOWN_LOCAL_WINDOW = 8_192;
const UNKNOWN_OUTPUT = 16_384;

export function resolveProfile(asked: ProfileQuestion): ProfileAnswer {
  const found = runsItself(asked.probed) ? undefined : lookUp(asked.table, asked.model);
  const local = asked.baseUrl !== undefined && isLoopback(asked.baseUrl) && !mayCost(asked.probed, found);
  const known = found?.known ?? {};
  const price = priceOf(asked, { known, local });
  if (!price.value && !asked.unpriced) return unknownPrice(asked.model);
  const window = windowOf(asked, { known, local });
  const profile: ModelProfile = {
    model: asked.model,
    ...(asked.api ? { api: asked.api } : {}),
    contextWindow: window.value,
    maxOutputTokens: outputOf(window.value, known),
    ...(price.value ? { price: price.value } : {}),
    convention: isOwnProtocol(asked.api) ? "native" : (asked.probed?.convention ?? known.convention ?? "native"),
    outputLimit: known.outputLimit ?? "max_tokens",
    // Converse passes it on to families that refuse it.
    temperature: known.temperature ?? asked.api !== "converse",
    parallelToolCalls: asked.probed?.parallelToolCalls ?? known.parallelToolCalls ?? true,
    requiredToolChoice: known.requiredToolChoice ?? false,
  };
  return { profile, notes: [...price.notes, ...window.notes, ...notesOn(asked)] };
}

const isOwnProtocol = (api: Api | undefined): boolean =>
  api === "responses" || api === "messages" || api === "converse";

/** A local server can give a model any name: the published data of that name may not apply. */
const runsItself = (probed: ServerProbe | undefined): boolean =>
  probed?.kind === "llama.cpp" || probed?.kind === "ollama" || probed?.kind === "vllm";

/** A server of this computer may pass requests on to one that charges: a proxy does, with models that have a price. */
const mayCost = (probed: ServerProbe | undefined, found: object | undefined): boolean =>
  probed?.kind === "litellm" || found !== undefined;

interface Resolved<Value> {
  value: Value;
  notes: string[];
}

function priceOf(
  { model, price, table, probed, api }: ProfileQuestion,
  { known, local }: { known: KnownModel; local: boolean },
): Resolved<Price | undefined> {
  if (price) return { value: price, notes: [] };
  if (local) return { value: free, notes: ["Local models cost nothing; change it with --price."] };
  if (probed?.price) return { value: probed.price, notes: [proxyPrice(model, probed.price)] };
  if (!known.price)
    return { value: undefined, notes: ["The price of the model is unknown: no USD ceiling can be kept."] };
  const value =
    api === "messages" || (api === "converse" && IS_CLAUDE.test(model)) ? withCache(known.price) : known.price;
  const { input, output } = value;
  const name = lookUp(table, model)?.name ?? model;
  return {
    value,
    notes: [
      `Price of ${name} as known in ${KNOWN_AS_OF}: ${input} USD in, ${output} USD out, per million tokens; change it with --price.`,
    ],
  };
}

const IS_CLAUDE = /anthropic\.claude/;

/** Anthropic bills what is written to its cache at 1.25 times the price of input, and what is read from it at a tenth. */
const withCache = ({ input, cachedInput = Number((input / 10).toPrecision(6)), output }: Price): Price => ({
  input: input * 1.25,
  cachedInput,
  output,
});

const proxyPrice = (model: string, { input, output }: Price): string =>
  `Price of ${model} as the proxy says: ${input} USD in, ${output} USD out, per million tokens; change it with --price.`;

const unknownPrice = (model: string): ProfileAnswer => ({
  problem: `No price is known for ${model}, so the budget cannot be enforced.`,
  remedy:
    "Give --price IN,OUT (US dollars per million tokens), or put the model under `models` in your configuration, or accept an unknown cost with --unpriced.",
});

function windowOf(
  { contextWindow, probed }: ProfileQuestion,
  { known, local }: { known: KnownModel; local: boolean },
): Resolved<number> {
  const reported = probed?.contextWindow;
  if (contextWindow !== undefined) {
    const larger = reported !== undefined && reported < contextWindow;
    return {
      value: contextWindow,
      notes: larger ? [`The server says that its window is ${reported} tokens, not ${contextWindow}.`] : [],
    };
  }
  const value = reported ?? known.contextWindow;
  if (value !== undefined) return { value, notes: [] };
  const guess = local ? UNKNOWN_LOCAL_WINDOW : UNKNOWN_REMOTE_WINDOW;
  return {
    value: guess,
    notes: [
      `The context window of the model is unknown: ${guess} tokens are assumed; change it with --context-window.`,
    ],
  };
}

/** At most half of the window: the other half is for the prompt. */
const outputOf = (window: number, known: KnownModel): number =>
  Math.min(known.maxOutputTokens ?? UNKNOWN_OUTPUT, Math.floor(window / 2));

function notesOn({ model, baseUrl, probed }: ProfileQuestion): string[] {
  const notes = probed?.note ? [probed.note] : [];
  if (probed?.kind === "unreachable") notes.push(`No server answers at ${baseUrl} now.`);
  // llama.cpp answers every model name with its one model.
  if (probed?.models && probed.kind !== "llama.cpp" && !probed.models.some((listed) => isSameModel(listed, model))) {
    notes.push(`The server does not list ${model}; it has ${probed.models.slice(0, 5).join(", ") || "no model"}.`);
  }
  return notes;
}
