/** Findings about the model and its server. The key itself is never shown. */
import { amount } from "../../core/text/format.ts";
import { modelList } from "../../core/turn/model-list.ts";
import type { ModelProfile } from "../../core/turn/model-profile.ts";
import type { Finding } from "../../deployment/finding.ts";
import { chooseModels, hostOf, isFree, lookAtServer, type ModelWish } from "../../model/open-model.ts";
import type { Shell } from "../display/shell.ts";
import { modelServerIn } from "../settings/model-server.ts";
import type { Settings } from "../settings/settings.ts";
import { missingFor } from "./finding-line.ts";

export async function modelFindings(settings: Settings, env: Shell["env"]): Promise<Finding[]> {
  const wish = modelServerIn(settings, env);
  const needsKey = !isFree(settings.baseUrl);
  const key: Finding = wish.apiKey
    ? { what: "key", state: "ok", says: "OPENAI_API_KEY is set" }
    : needsKey
      ? { what: "key", state: "missing", says: "OPENAI_API_KEY is not set" }
      : { what: "key", state: "ok", says: "none; a local server needs none" };
  try {
    const host = hostOf(wish);
    const server = wish.apiKey || !needsKey ? [await serverFinding(wish, host)] : [];
    return [key, ...server, ...(key.state === "missing" ? [] : await profileFindings(wish))];
  } catch (error) {
    return [key, missingFor("server", error)];
  }
}

async function serverFinding(wish: ModelWish, host: string): Promise<Finding> {
  const [first] = modelList(wish.model ?? "") ?? [];
  const probed = await lookAtServer({ ...wish, model: first });
  if (probed.kind === "unreachable") return { what: "server", state: "missing", says: `${host} does not answer` };
  const models = probed.models ? `, ${probed.models.length} models` : "";
  const listed = first === undefined || !probed.models || probed.models.includes(first);
  const absent = listed || probed.kind === "llama.cpp" ? "" : `; it does not list ${first}`;
  const note = [absent, probed.note ? `; ${probed.note}` : ""].join("");
  return { what: "server", state: note ? "note" : "ok", says: `${host} answers (${probed.kind}${models})${note}` };
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

function factsOf({ model, contextWindow, price }: ModelProfile): string {
  const cost = price ? `$${price.input} in, $${price.output} out per million tokens` : "price unknown";
  return `${model}, window ${amount(contextWindow)}, ${cost}`;
}
