/** Lists the models that are known: published ones, the user's own and those of a server, as a run would use them. */
import type { Api, Convention, Price } from "../core/turn/model-profile.ts";
import { withDefaultModel } from "./default-model.ts";
import { httpUrl, isNearby } from "./endpoint.ts";
import { PUBLISHED, type PublishedModels } from "./known-models.ts";
import { lookUp } from "./model-table.ts";
import { resolveProfile } from "./models.ts";
import { hasKey, hostOf, type ModelWish, tableWith } from "./open-model.ts";
import { probeServer } from "./probe/probe.ts";
import type { ServerProbe } from "./probe/server-probe.ts";
import { providerOf } from "./provider.ts";

export interface ListedModel {
  /** As `--model` takes it. */
  model: string;
  provider: string;
  api: Api | "chat";
  /** Absent: unknown. */
  contextWindow?: number;
  maxOutputTokens?: number;
  price?: Price;
  convention: Convention;
  /** Whether what it is asked with is there. */
  isReachable: boolean;
  /** Present: a run takes it where no model is set. */
  isDefault?: true;
  from: "built in" | "your file" | "server";
  source?: string;
  asOf?: string;
}

/** Asks a server only where one nearby is configured by its base URL. Its own models come first. */
export async function listModels(wish: ModelWish): Promise<{ models: ListedModel[]; notes: string[] }> {
  const table = tableWith(wish.models);
  const { rows: served, notes } = await servedModels(wish);
  const known = PUBLISHED.flatMap((published) => Object.keys(published.models).map((name) => ({ name, published })));
  const names = new Set(known.flatMap(({ name, published }) => spellings(name, published)));
  const own = Object.keys(table).filter((name) => !names.has(name.toLowerCase()));
  const models = [
    ...served,
    ...own.map((model) =>
      listed(wish, { model, provider: "", from: "your file", isReachable: hasKey({ ...wish, model }) }),
    ),
    ...known.map(({ name, published }) => publishedModel(wish, name, published)),
  ];
  return { models: withDefault(wish, models), notes };
}

/** Published models that can be asked with these settings, as `--model` takes them. */
export const reachableModels = (wish: ModelWish): string[] =>
  PUBLISHED.flatMap((published) => Object.keys(published.models).map((name) => publishedModel(wish, name, published)))
    .filter(({ isReachable }) => isReachable)
    .map(({ model }) => model);

/** One that no table lists, because it is an alias of another, is put first. */
function withDefault(wish: ModelWish, models: ListedModel[]): ListedModel[] {
  const { model, because } = withDefaultModel(wish);
  if (model === undefined || because === undefined) return models;
  const isDefault = true as const;
  if (models.some((each) => each.model === model))
    return models.map((each) => (each.model === model ? { ...each, isDefault } : each));
  const provider = hostOf({ model });
  return [{ ...listed(wish, { model, provider, from: "built in", isReachable: true }), isDefault }, ...models];
}

function publishedModel(wish: ModelWish, name: string, published: PublishedModels): ListedModel {
  const { provider, prefix = "", host, source, asOf } = published;
  const model = `${prefix}${name}`;
  const written = spellings(name, published);
  const isOwn = Object.keys(wish.models ?? {}).some((own) => written.includes(own.toLowerCase()));
  const direct = { ...wish, baseUrl: host && `https://${host}/v1`, model };
  const isReachable = prefix ? hasKey(direct) : hostAt(wish.baseUrl) === host && hasKey({ ...wish, model });
  const origin = { source, asOf };
  return { ...listed(direct, { model, provider, from: isOwn ? "your file" : "built in", isReachable }), ...origin };
}

/** As a user may write it: with the provider's prefix, or without. */
const spellings = (name: string, { prefix }: PublishedModels): string[] => [
  name.toLowerCase(),
  `${prefix ?? ""}${name}`.toLowerCase(),
];

const hostAt = (baseUrl: string | undefined): string | undefined => httpUrl(baseUrl ?? "")?.host;

type Place = Pick<ListedModel, "model" | "provider" | "from" | "isReachable">;

function listed(wish: ModelWish, place: Place, probed?: ServerProbe): ListedModel {
  const table = tableWith(wish.models);
  const { baseUrl } = wish;
  const api = providerOf(place.model, baseUrl)?.api;
  const server = { ...(baseUrl ? { baseUrl } : {}), ...(api ? { api } : {}), ...(probed ? { probed } : {}) };
  const answer = resolveProfile({ model: place.model, table, unpriced: true, ...server });
  if ("problem" in answer) throw new Error(answer.problem);
  const { price, convention, contextWindow, maxOutputTokens } = answer.profile;
  const isWindowKnown = (probed?.contextWindow ?? lookUp(table, place.model)?.known.contextWindow) !== undefined;
  return {
    ...place,
    api: api ?? "chat",
    ...(isWindowKnown ? { contextWindow, maxOutputTokens } : {}),
    ...(price ? { price } : {}),
    convention,
  };
}

/** A server may have very many; each is asked about on its own. */
const MOST_SERVED = 20;

async function servedModels(wish: ModelWish): Promise<{ rows: ListedModel[]; notes: string[] }> {
  const { baseUrl, apiKey } = wish;
  const provider = hostOf(wish);
  if (!baseUrl || !isNearby(baseUrl)) return { rows: [], notes: [] };
  const ask = (model: string) => probeServer(baseUrl, { model, ...(apiKey ? { apiKey } : {}) });
  const first = await ask("");
  if (first.kind === "unreachable") return { rows: [], notes: [`No server answers at ${provider} now.`] };
  const names = first.models ?? [];
  const rows: ListedModel[] = [];
  for (const model of names.slice(0, MOST_SERVED)) {
    const isReachable = hasKey({ ...wish, model });
    rows.push(listed(wish, { model, provider, from: "server", isReachable }, await ask(model)));
  }
  const more = names.length - rows.length;
  const notes = [...(first.note ? [first.note] : []), ...(more > 0 ? [`The server has ${more} more models.`] : [])];
  return { rows, notes };
}
