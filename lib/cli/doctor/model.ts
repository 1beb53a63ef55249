/** Findings about the model and its server. The key itself is never shown. */
import { sourceOf } from "../../client/credentials.ts";
import { amount, pluralize } from "../../core/text/format.ts";
import { modelList } from "../../core/turn/model-list.ts";
import type { ModelProfile } from "../../core/turn/model-profile.ts";
import type { Finding } from "../../deployment/finding.ts";
import { noModelFound, reasonOf } from "../../model/default-model.ts";
import { chooseModels, hasKey, hostOf, keyNameOf, lookAtServer, type ModelWish } from "../../model/open-model.ts";
import { findLocalServers } from "../../model/probe/local-servers.ts";
import { isListed } from "../../model/probe/server-probe.ts";
import { hasAccess, isCompatible, isSigned, providerOf } from "../../model/provider.ts";
import { REHEARSAL } from "../../model/rehearsal-name.ts";
import { protocolWords } from "../display/protocol-words.ts";
import type { Shell } from "../display/shell.ts";
import { modelServerIn } from "../settings/model-server.ts";
import type { Settings } from "../settings/settings.ts";
import { missingFor } from "./finding-line.ts";

export async function modelFindings(settings: Settings, env: Shell["env"]): Promise<Finding[]> {
  const wish = modelServerIn(settings, env);
  if (wish.model === REHEARSAL) return [PLAYED];
  const [model] = modelList(wish.model ?? "") ?? [];
  const keyName = keyNameOf({ ...wish, model });
  const isReady = hasKey({ ...wish, model });
  const isSet = hasAccess(providerOf(model, wish.baseUrl)?.api, wish);
  const chosen = reasonOf(wish);
  const key: Finding = isSet
    ? { what: "key", state: "ok", says: `${keyName} is set` }
    : isReady
      ? { what: "key", state: "ok", says: "none; a local server needs none" }
      : { what: "key", state: "missing", says: `${keyName} is not set` };
  if (isUnchosen(wish)) return [missingFor("model", noModelFound(wish, await findLocalServers()))];
  try {
    const host = hostOf({ ...wish, model });
    const server = isReady ? await serverFindings({ ...wish, model }, { host, env }) : [];
    const choice: Finding[] = chosen ? [{ what: "default", state: "ok", says: chosen }] : [];
    return [key, ...choice, ...server, ...(key.state === "missing" ? [] : await profileFindings(wish))];
  } catch (error) {
    return [key, missingFor("server", error)];
  }
}

const PLAYED: Finding = { what: "model", state: "ok", says: "rehearsal: written scenes, no key, no cost" };

const isUnchosen = (wish: ModelWish): boolean =>
  wish.model === undefined && wish.baseUrl === undefined && !hasKey(wish);

async function serverFindings(wish: ModelWish, { host, env }: { host: string; env: Shell["env"] }): Promise<Finding[]> {
  const provider = providerOf(wish.model, wish.baseUrl);
  // Asked in its own protocol, it does not say what it is.
  if (provider?.api === "messages" || isCompatible(provider?.api)) return [];
  if (isSigned(provider?.api)) {
    const says = `${host} in ${wish.awsRegion}, asked with ${sourceOf(env)}`;
    return [{ what: "server", state: "ok", says }];
  }
  const first = provider ? wish.model?.slice(wish.model.indexOf("/") + 1) : wish.model;
  const probed = await lookAtServer({ ...wish, model: first });
  if (probed.kind === "unreachable") return [{ what: "server", state: "missing", says: `${host} does not answer` }];
  const models = probed.models ? `, ${pluralize(probed.models.length, "model")}` : "";
  const listed = first === undefined || isListed(probed, first);
  const absent = listed || probed.kind === "llama.cpp" ? "" : `; it does not list ${first}`;
  const note = [absent, probed.note ? `; ${probed.note}` : ""].join("");
  return [{ what: "server", state: note ? "note" : "ok", says: `${host} answers (${probed.kind}${models})${note}` }];
}

async function profileFindings(wish: ModelWish): Promise<Finding[]> {
  try {
    const { profile, models = [profile], notes } = await chooseModels(wish);
    return [
      ...models.map((each, place): Finding => ({ what: place === 0 ? "model" : "", state: "ok", says: factsOf(each) })),
      ...notes.map((says): Finding => ({ what: "", state: "note", says })),
    ];
  } catch (error) {
    return [missingFor("model", error)];
  }
}

function factsOf(profile: ModelProfile): string {
  const { model, contextWindow, price } = profile;
  const cost = price ? `$${price.input} in, $${price.output} out per million tokens` : "price unknown";
  return `${model}, ${protocolWords(profile)}, window ${amount(contextWindow)}, ${cost}`;
}
