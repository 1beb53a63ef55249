/** What is known of the model that is set, without asking a server: its window and its price. Pure. */

import { modelList } from "../core/turn/model-list.ts";
import type { ModelProfile } from "../core/turn/model-profile.ts";
import { resolveProfile } from "./models.ts";
import { type ModelWish, tableWith } from "./open-model.ts";
import { providerOf } from "./provider.ts";

/** Of each model that is set, in their order, as far as they are known. */
export const knownProfiles = (wish: ModelWish): ModelProfile[] =>
  (modelList(wish.model ?? "") ?? []).flatMap((model) => profileOf(model, wish) ?? []);

function profileOf(model: string, wish: ModelWish): ModelProfile | undefined {
  const { baseUrl, contextWindow, price } = wish;
  const api = providerOf(model, baseUrl)?.api;
  const answer = resolveProfile({
    model,
    table: tableWith(wish.models),
    unpriced: true,
    ...(baseUrl ? { baseUrl } : {}),
    ...(api ? { api } : {}),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(price ? { price } : {}),
  });
  return "profile" in answer ? answer.profile : undefined;
}
