/** LiteLLM in front of llama.cpp: its shapes are spoken, its limiter and its errors understood, and its models not free. */
import { ModelError } from "../../../lib/core/errors.ts";
import { chooseModel } from "../../../lib/model/open-model.ts";
import { OFFERS, openAsking } from "./asking.ts";
import { check, expectThat } from "./checks.ts";
import { checkRequests } from "./request-checks.ts";
import { PROXY_KEY } from "./servers.ts";

export async function checkProxy(origin: string): Promise<void> {
  const proxy = { baseUrl: `${origin}/v1`, apiKey: PROXY_KEY };
  await checkRequests("llama.cpp behind LiteLLM", proxy);
  await checkRequests("llama.cpp behind LiteLLM, in Azure's shape", {
    baseUrl: origin,
    apiKey: PROXY_KEY,
    apiVersion: "2024-10-21",
  });
  await check("a model behind LiteLLM on this computer has the price that is known, and is not free", async () => {
    const { profile } = await chooseModel({ ...proxy, model: "gpt-4.1" });
    expectThat((profile.price?.output ?? 0) > 0, `its price is ${JSON.stringify(profile.price)}`);
    const unknown = await chooseModel({ ...proxy, model: "local" }).catch((error: Error) => error.message);
    expectThat(
      typeof unknown === "string" && /price/.test(unknown),
      `no price is asked for: ${JSON.stringify(unknown)}`,
    );
    const { profile: given } = await chooseModel({ ...proxy, model: "local", price: { input: 0, output: 0 } });
    expectThat(given.price?.output === 0, "a price of zero is not taken");
    return `gpt-4.1 at ${profile.price?.input} and ${profile.price?.output} USD; without one: ${unknown}`;
  });
  await check("errors of LiteLLM are understood", async () => {
    const kinds: Record<string, string> = {
      full: "context_exceeded",
      failing: "unavailable",
      dead: "unavailable",
      unheard: "unknown_model",
    };
    const answers = await Promise.all(Object.keys(kinds).map((model) => errorOf({ ...proxy, model })));
    const wrong = answers.filter(({ kind, model }) => kind !== kinds[model]);
    expectThat(wrong.length === 0, JSON.stringify(wrong));
    const { kind } = await errorOf({ ...proxy, apiKey: "sk-wrong", model: "local" });
    expectThat(kind === "credentials", `a wrong key is ${kind}`);
    return answers.map(({ model, kind: what }) => `${model}: ${what}`).join(", ");
  });
  await check("the limiter of LiteLLM says when to come back, in a header of its own", async () => {
    const errors = [];
    for (let asked = 0; asked < 3; asked++) errors.push(await errorOf({ ...proxy, model: "limited" }));
    const limited = errors.find(({ kind }) => kind === "rate_limited");
    expectThat(limited?.retryAfterMs === 60_000, JSON.stringify(errors));
    return `after ${limited?.retryAfterMs} ms`;
  });
}

interface Failure {
  model: string;
  kind: string;
  retryAfterMs?: number | undefined;
}

async function errorOf({ model, ...access }: { baseUrl: string; apiKey: string; model: string }): Promise<Failure> {
  const { ask } = await openAsking({ ...access, model });
  try {
    await ask(OFFERS.custom ?? []);
    return { model, kind: "an answer" };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { model, kind: error.kind, retryAfterMs: error.retryAfterMs };
  }
}
