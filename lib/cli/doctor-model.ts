/** What `l2mac doctor` finds of the model and its server. The key itself is never shown. */
import { UserError } from "../core/errors.ts";
import { chooseModel, hostOf, isFree, lookAtServer } from "../local/open-model.ts";
import type { Finding } from "./doctor.ts";
import type { Settings } from "./settings.ts";
import type { Shell } from "./shell.ts";
import { wishOf } from "./submission.ts";
import { tokens } from "./words.ts";

export async function modelFindings(settings: Settings, env: Shell["env"]): Promise<Finding[]> {
  const wish = wishOf(settings, { env });
  const needsKey = !isFree(settings.baseUrl);
  const key: Finding = wish.apiKey
    ? { what: "key", state: "ok", says: "OPENAI_API_KEY is set" }
    : needsKey
      ? { what: "key", state: "missing", says: "OPENAI_API_KEY is not set" }
      : { what: "key", state: "ok", says: "none, and this computer's own server needs none" };
  try {
    const host = hostOf(wish);
    const server = wish.apiKey || !needsKey ? [await serverFinding(wish, host)] : [];
    return [key, ...server, ...(key.state === "missing" ? [] : await profileFindings(wish))];
  } catch (error) {
    return [key, problem("server", error)];
  }
}

async function serverFinding(wish: ReturnType<typeof wishOf>, host: string): Promise<Finding> {
  const probed = await lookAtServer(wish);
  if (probed.kind === "unreachable") return { what: "server", state: "missing", says: `${host} does not answer` };
  const models = probed.models ? `, ${probed.models.length} models` : "";
  const listed = wish.model === undefined || !probed.models || probed.models.includes(wish.model);
  const absent = listed || probed.kind === "llama.cpp" ? "" : `; it does not list ${wish.model}`;
  const note = [absent, probed.note ? `; ${probed.note}` : ""].join("");
  return { what: "server", state: note ? "note" : "ok", says: `${host} answers (${probed.kind}${models})${note}` };
}

async function profileFindings(wish: ReturnType<typeof wishOf>): Promise<Finding[]> {
  try {
    const { profile, notes } = await chooseModel(wish);
    const { model, contextWindow, price } = profile;
    const cost = price ? `$${price.input} in, $${price.output} out per million tokens` : "price unknown";
    return [
      { what: "model", state: "ok", says: `${model}, window ${tokens(contextWindow)}, ${cost}` },
      ...notes.map((says): Finding => ({ what: "", state: "note", says })),
    ];
  } catch (error) {
    return [problem("model", error)];
  }
}

function problem(what: string, error: unknown): Finding {
  if (!(error instanceof UserError)) throw error;
  return { what, state: "missing", says: [error.message, error.remedy].filter(Boolean).join("\n") };
}
