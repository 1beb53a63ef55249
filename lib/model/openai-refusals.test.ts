import { afterEach, describe, expect, it } from "vitest";
import { errorOf, KEY, profile, request } from "../../test/servers/asking-fixture.ts";
import {
  contextExceeded,
  type Fault,
  outOfQuota,
  rateLimited,
  refusal,
  reply,
  serverError,
} from "../../test/servers/scripted-faults.ts";
import {
  type ScriptedServer,
  type ScriptedServerOptions,
  startScriptedServer,
} from "../../test/servers/scripted-openai.ts";
import type { ModelError } from "../core/errors.ts";
import { createOpenAiModel, type OpenAiModel } from "./openai.ts";

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

async function start(options: Partial<ScriptedServerOptions>): Promise<ScriptedServer> {
  server = await startScriptedServer({ answer: () => ({ text: "ok" }), ...options });
  return server;
}

async function failure(fault: Fault, model: Partial<OpenAiModel> = {}): Promise<ModelError> {
  const { url } = await start({ faults: { 1: fault } });
  const error = await errorOf(createOpenAiModel({ profile, baseUrl: url, apiKey: KEY, ...model }).ask(request));
  expect(server?.requests).toHaveLength(1);
  return error;
}

describe("what a server's refusal means", () => {
  it.each<[string, Fault, Partial<ModelError>]>([
    ["401", refusal(401, { message: "Incorrect API key provided." }), { kind: "credentials", status: 401 }],
    ["403", refusal(403, { message: "Country not supported." }), { kind: "credentials" }],
    [
      "400 of a LiteLLM that has no such key",
      refusal(400, { message: "No connected db.", type: "no_db_connection" }),
      { kind: "credentials" },
    ],
    ["404", refusal(404, { message: "The model `x` does not exist." }), { kind: "unknown_model" }],
    [
      "400 that names the model",
      refusal(400, { message: "The provided model identifier is invalid." }),
      { kind: "unknown_model" },
    ],
    ["402", refusal(402, { message: "Insufficient Balance" }), { kind: "quota" }],
    ["429 without money", outOfQuota(), { kind: "quota" }],
    [
      "429 whose quota fills again by itself",
      refusal(429, { message: "You exceeded your current quota: limit of requests per minute per model." }),
      { kind: "rate_limited" },
    ],
    ["429", rateLimited(), { kind: "rate_limited", retryAfterMs: 1_000 }],
    ["400", refusal(400, { message: "Invalid schema for function." }), { kind: "refused" }],
    ["308", reply(308, "", { location: "https://elsewhere.example.org" }), { kind: "refused" }],
    ["500", serverError(), { kind: "unavailable", perhapsPaid: false }],
    ["503 while loading", serverError(503), { kind: "unavailable", perhapsPaid: false }],
    ["504 of a gateway that lost patience", serverError(504), { kind: "unavailable", perhapsPaid: false }],
    ["OpenAI's full window", contextExceeded(), { kind: "context_exceeded", perhapsPaid: false }],
  ])("%s", async (_name, fault, expected) => {
    expect(await failure(fault)).toMatchObject(expected);
  });

  it.each([
    [400, "the request exceeds the available context size. try increasing the context size or enable context shift"],
    [400, "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens"],
    [
      400,
      "'max_tokens' or 'max_completion_tokens' is too large: 64000. This model's maximum context length is 64001 tokens",
    ],
    [400, "Please reduce the length of the messages or completion."],
    [422, "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens"],
    [400, "input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000"],
    [413, "Request too large for model in organization on tokens per minute (TPM): Limit 6000, Requested 14810"],
    [400, "This model's maximum prompt length is 500000 but the request contains 907154 tokens."],
    [500, "the request exceeds the available context size"],
    [400, "Input is too long for requested model."],
    [400, "litellm.ContextWindowExceededError: litellm.BadRequestError: context window exceeded"],
  ])("knows a full window by its words: %i %s", async (status, message) => {
    expect((await failure(refusal(status, { message }))).kind).toBe("context_exceeded");
  });

  it("knows llama.cpp's full window by its type", async () => {
    const error = {
      code: 400,
      message: "too long",
      type: "exceed_context_size_error",
      n_prompt_tokens: 1407,
      n_ctx: 256,
    };
    expect((await failure(reply(400, { error }))).kind).toBe("context_exceeded");
  });

  it("says who answered what, and what to do", async () => {
    const error = await failure(refusal(404, { message: "The model `scripted` does not exist" }));
    expect(error.message).toMatch(
      /^The model server at 127\.0\.0\.1:\d+ answered 404: The model `scripted` does not exist\. Check the model/,
    );
  });

  it("reads the other shapes of error bodies, and cuts them short", async () => {
    for (const [body, said] of [
      [{ error: "model is busy" }, "model is busy"],
      [{ object: "error", message: "bad request", code: 400 }, "bad request"],
      [{ detail: [{ loc: ["body"], msg: "field required" }] }, "field required"],
      [[{ error: { message: "in a list" } }], "in a list"],
      [{ message: "from a gateway" }, "from a gateway"],
      ["<html><style>b{}</style><h1>Bad   Gateway</h1></html>", "Bad Gateway"],
      ["", "nothing more"],
    ] as const) {
      expect((await failure(reply(400, body))).message).toContain(said);
      await server?.close();
    }
    const long = await failure(refusal(400, { message: `\u001b[31m${"very ".repeat(1_000)}` }));
    expect(long.message.length).toBeLessThan(450);
    expect(long.message).not.toContain("\u001b");
  });
});

describe("when to come back", () => {
  const NOW = Date.parse("2026-11-21T08:00:00Z");
  it.each([
    [{ "retry-after": "1e308" }, 31_536_000_000],
    [{ "retry-after": "7" }, 7_000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after-ms": "1234", "retry-after": "7" }, 1_234],
    [{ "retry-after": "Sat, 21 Nov 2026 08:01:30 GMT" }, 90_000],
    [{ "retry-after": "Sat, 21 Nov 2026 07:00:00 GMT" }, 0],
    [{ "retry-after": "soon" }, undefined],
    [{ "llm_provider-retry-after": "60" }, 60_000],
    [{ "llm_provider-retry-after": "60", "retry-after": "7" }, 7_000],
    [{}, undefined],
  ])("%o", async (headers, expected) => {
    expect((await failure(rateLimited(headers), { now: () => NOW })).retryAfterMs).toBe(expected);
  });
});
