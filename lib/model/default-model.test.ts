import { afterEach, describe, expect, it } from "vitest";
import { type JsonServer, startJsonServer } from "../../test/servers/json-server.ts";
import type { Run } from "../core/run/run.ts";
import { noModelFound, reasonOf, withDefaultModel } from "./default-model.ts";
import { openCompatible } from "./open-compatible.ts";
import { chooseModel, openModel } from "./open-model.ts";
import { findLocalServers } from "./probe/local-servers.ts";
import { keyFor, keysIn, providerOf } from "./provider.ts";

const ALL = { apiKey: "o", anthropicKey: "a", geminiKey: "g", openrouterKey: "r" };
const AWS = { awsCredentials: "AWS_PROFILE", awsRegion: "eu-west-1" };

describe("the model where none is set", () => {
  it.each([
    [{ ...ALL, ...AWS }, "openai/gpt-5.5", "OPENAI_API_KEY is set"],
    [{ ...ALL, ...AWS, apiKey: undefined }, "anthropic/claude-sonnet-5-5", "ANTHROPIC_API_KEY is set"],
    [{ geminiKey: "g", openrouterKey: "r", ...AWS }, "gemini/gemini-3.8-flash", "GEMINI_API_KEY is set"],
    [{ openrouterKey: "r", ...AWS }, "openrouter/openai/gpt-5.5", "OPENROUTER_API_KEY is set"],
    [AWS, "bedrock/eu.anthropic.claude-sonnet-4-6", "there are AWS credentials (AWS_PROFILE) and AWS_REGION is set"],
    [{ ...AWS, awsRegion: "us-west-2" }, "bedrock/us.anthropic.claude-sonnet-4-6", "there are AWS credentials"],
  ])("of %o is %s", async (keys, model, because) => {
    const wish = withDefaultModel(keys);
    expect(wish).toMatchObject({ model, because: expect.stringContaining(because) });
    expect(reasonOf(wish)).toMatch(/^\S+, because .* set; --model changes it$/);
    const { profile } = await chooseModel(wish);
    expect(profile).toMatchObject({ model, price: { input: expect.any(Number) } });
    expect(profile.contextWindow).toBeGreaterThan(100_000);
  });

  it.each([
    [{ ...ALL, model: "mine" }, "mine"],
    [{ ...ALL, baseUrl: "http://127.0.0.1:8080/v1" }, undefined],
    [{ awsRegion: "us-east-1" }, undefined],
    [{ awsCredentials: "AWS_PROFILE" }, undefined],
    [{ ...AWS, awsRegion: "sa-east-1" }, undefined],
    [{}, undefined],
  ])("of %o is what is set: %s", (wish, model) => {
    expect(withDefaultModel(wish)).toEqual(wish);
    expect(withDefaultModel(wish).model).toBe(model);
  });
});

describe("the key of a provider that speaks Chat Completions", () => {
  it.each([
    ["gemini/gemini-3.8-flash", "generativelanguage.googleapis.com", "GEMINI_API_KEY", "g"],
    ["openrouter/openai/gpt-5.5", "openrouter.ai", "OPENROUTER_API_KEY", "r"],
  ])("of %s goes to %s only", async (model, host, keyName, key) => {
    expect(providerOf(model, undefined)).toMatchObject({
      keyName,
      baseUrl: expect.stringContaining(`https://${host}/`),
    });
    // With a base URL, the name is that server's own.
    expect(providerOf(model, `https://${host}/v1`)).toBeUndefined();
    const api = providerOf(model, undefined)?.api;
    expect(keyFor(api, ALL)).toEqual({ apiKey: key });
    expect(keyFor(api, { apiKey: "o", anthropicKey: "a" })).toEqual({});
    const { profile } = await chooseModel({ model, ...ALL });
    const run = { profile, options: {} } as Run;
    await expect(openModel(run, { rehearsals: "", apiKey: "o" })).rejects.toMatchObject({
      message: `No API key is set for the model server at ${host}.`,
      remedy: expect.stringContaining(keyName),
    });
  });

  it.each([
    ["gemini", "gemini/gemini-3.8-flash", "https://generativelanguage.googleapis.com/v1beta/openai", "g"],
    ["openrouter", "openrouter/openai/gpt-5.5", "https://openrouter.ai/api/v1", "r"],
  ] as const)("of %s is sent to its address, with the provider's own name of %s", async (api, model, address, key) => {
    const sent: unknown[] = [];
    const { profile } = await chooseModel({ model, ...ALL });
    const fetch: typeof globalThis.fetch = async (url, init) => {
      const authorization = new Headers(init?.headers).get("authorization");
      sent.push({ url: String(url), authorization, model: JSON.parse(String(init?.body)).model });
      return Response.json({ choices: [{ message: { content: "Yes." }, finish_reason: "stop" }] });
    };
    const question = { role: "user", content: "?" } as const;
    const request = { messages: [question], tools: [], maxOutputTokens: 9, timeoutMs: 9_000, stream: false };
    await openCompatible(profile, api, { ...ALL, fetch }).ask(request);
    const name = model.slice(model.indexOf("/") + 1);
    expect(sent).toEqual([{ url: `${address}/chat/completions`, authorization: `Bearer ${key}`, model: name }]);
  });
});

it("keys are read from their own variables, without what is around them", () => {
  const env = { OPENAI_API_KEY: " ", GEMINI_API_KEY: " g\n", OPENROUTER_API_KEY: "r", AWS_REGION: "us-east-1" };
  expect(keysIn(env)).toEqual({ geminiKey: "g", openrouterKey: "r", awsRegion: "us-east-1" });
});

describe("servers of this computer", () => {
  const open: JsonServer[] = [];
  afterEach(() => Promise.all(open.splice(0).map((server) => server.close())));
  const serverOf = async (...models: string[]): Promise<{ port: number; server: JsonServer }> => {
    const server = await startJsonServer(() => ({ body: { data: models.map((id) => ({ id })) } }));
    open.push(server);
    return { port: Number(new URL(server.url).port), server };
  };

  it("are offered with the command to be pasted, and asked without a key", async () => {
    const one = await serverOf("qwen3:8b");
    const many = await serverOf("a", "b");
    const found = await findLocalServers([one.port, many.port, (await serverOf()).port], 60_000);
    expect(found.map(({ models }) => models)).toEqual([["qwen3:8b"], ["a", "b"]]);
    expect(one.server.requests).toMatchObject([{ path: "/v1/models", headers: { host: `127.0.0.1:${one.port}` } }]);
    expect(one.server.requests[0]?.headers).not.toHaveProperty("authorization");
    const { message, remedy, alternatives } = noModelFound({}, found);
    expect(message).toMatch(/^No model is chosen/);
    const base = `http://127.0.0.1:${one.port}/v1`;
    expect(remedy).toMatchObject({ command: "run", args: ["<task>", "--base-url", base, "--model", "qwen3:8b"] });
    expect(alternatives[0]).toMatchObject({ args: expect.arrayContaining(["<model>"]), note: "it has a, b" });
  });

  it("are not offered under a name that a shell or a terminal would take for something else", async () => {
    const { port } = await serverOf("$(rm -rf ~)", "\u001b[2J");
    expect(await findLocalServers([port])).toEqual([]);
  });

  it("need not be there: then it is said what to set, the rehearsal among it", () => {
    const { remedy, alternatives } = noModelFound({}, []);
    expect(remedy).toMatch(/OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY/);
    expect(alternatives).toEqual([
      expect.stringContaining("AWS_REGION"),
      { command: "run", args: ["--rehearse"], note: expect.any(String) },
    ]);
    expect(noModelFound({ awsCredentials: "AWS_PROFILE" }, []).alternatives[0]).toMatch(/^Set AWS_REGION/);
    const elsewhere = { awsCredentials: "AWS_PROFILE", awsRegion: "sa-east-1" };
    expect(noModelFound(elsewhere, []).alternatives[0]).toMatch(
      /^No default is known in sa-east-1.*global\..*, if Bedrock offers it in sa-east-1$/,
    );
  });
});
