/** The wire of each protocol: what is sent, what is read, and what refusals mean. */
import { afterEach, describe, expect, it } from "vitest";
import { errorOf, KEY, profile, request } from "../../../test/servers/asking-fixture.ts";
import { type JsonReply, type JsonServer, startJsonServer } from "../../../test/servers/json-server.ts";
import { messagesAnswer, responsesAnswer } from "../../../test/servers/provider-examples.ts";
import type { ModelAnswer, ModelRequest } from "../../core/ports.ts";
import { createProtocolModel } from "./protocol.ts";
import { protocols } from "./protocols.ts";

let server: JsonServer | undefined;
afterEach(() => server?.close());

type Api = "responses" | "messages";
const names: Record<Api, string> = { responses: "openai/gpt-5.6", messages: "anthropic/claude-opus-5" };

async function model(api: Api, reply: JsonReply) {
  server = await startJsonServer(() => reply);
  const own = { ...profile, model: names[api], api, temperature: false, requiredToolChoice: false };
  return createProtocolModel(protocols[api], { profile: own, apiKey: KEY, baseUrl: server.url });
}
const sent = () => server?.requests.at(-1);
const input = (): unknown[] => (Array.isArray(sent()?.body.input) ? (sent()?.body.input as unknown[]) : []);

/** The conversation after an answer, as the next turn's request has it. */
const continued = ({ text, toolCalls, continuation }: ModelAnswer): ModelRequest => ({
  ...request,
  messages: [
    ...request.messages,
    { role: "assistant", content: text, toolCalls, ...(continuation ? { continuation } : {}) },
    { role: "tool", content: "a.ts\n\n9 turns left", toolCallId: toolCalls[0]?.id ?? "", name: "list_files" },
  ],
});

describe("OpenAI's Responses API", () => {
  it("is sent the conversation, is to store nothing, and is asked for encrypted thoughts", async () => {
    await (await model("responses", { body: responsesAnswer })).ask({ ...request, effort: "high" });
    expect(sent()?.path).toBe("/v1/responses");
    expect(sent()?.headers.authorization).toBe(`Bearer ${KEY}`);
    const { name, description, parameters } = request.tools[0] ?? {};
    expect(sent()?.body).toEqual({
      model: "gpt-5.6",
      stream: true,
      input: request.messages,
      store: false,
      include: ["reasoning.encrypted_content"],
      tools: [{ type: "function", name, description, parameters, strict: false }],
      parallel_tool_calls: true,
      max_output_tokens: 1_000,
      reasoning: { effort: "high" },
    });
  });

  it("gives text, calls and usage, and gets its thoughts back before the call that followed them", async () => {
    const asked = await model("responses", { body: responsesAnswer, headers: { "x-request-id": "req_1" } });
    const answer = await asked.ask(request);
    expect(answer).toMatchObject({
      text: "Looking.",
      toolCalls: [{ id: "call_unLAR8MvFNptuiZK6K6HCy5k", name: "list_files", arguments: '{"prefix":"src"}' }],
      finish: "tools",
      usage: { inputTokens: 291, cachedTokens: 128, outputTokens: 23 },
      model: "gpt-5.6-2026-06-01",
      requestId: "req_1",
    });
    await asked.ask(continued(answer));
    expect(sent()?.body.input).toEqual([
      ...request.messages,
      ...responsesAnswer.output,
      { type: "function_call_output", call_id: "call_unLAR8MvFNptuiZK6K6HCy5k", output: "a.ts\n\n9 turns left" },
    ]);
  });

  it("is not sent the thoughts of another model, nor those of calls that are not there", async () => {
    const asked = await model("responses", { body: responsesAnswer });
    const answer = await asked.ask(request);
    const items = answer.continuation?.items ?? [];
    const [call] = answer.toolCalls;
    if (!call) throw new Error("The example has a call.");
    const plain = [
      { role: "assistant", content: "Looking." },
      { type: "function_call", call_id: call.id, name: "list_files", arguments: call.arguments },
    ];
    await asked.ask(continued({ ...answer, continuation: { model: "openai/other", items } }));
    expect(input().slice(2, 4)).toEqual(plain);
    await asked.ask(continued({ ...answer, toolCalls: [{ ...call, id: "call_2" }] }));
    expect(input().slice(2, 4)).toEqual([plain[0], { ...plain[1], call_id: "call_2" }]);
  });

  it.each([
    [{ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }, "cut"],
    [{ status: "incomplete", incomplete_details: { reason: "content_filter" } }, "filtered"],
    [{ output: [{ type: "message", content: [{ type: "refusal", refusal: "No." }] }] }, "filtered"],
    [{ output: [{ type: "message", content: [{ type: "output_text", text: "Done." }] }] }, "stop"],
    [{ output: [], status: "cancelled" }, "other"],
  ])("ends as it says: %j", async (change, finish) => {
    const answer = await (await model("responses", { body: { ...responsesAnswer, ...change } })).ask(request);
    expect(answer.finish).toBe(finish);
  });
});

describe("Anthropic's Messages API", () => {
  it("is sent tools, system prompt and messages, with a cache point after what does not change", async () => {
    const asked = await model("messages", { body: messagesAnswer });
    await asked.ask(request);
    expect(sent()?.path).toBe("/v1/messages");
    expect(sent()?.headers).toMatchObject({ "x-api-key": KEY, "anthropic-version": "2023-06-01" });
    expect(sent()?.headers).not.toHaveProperty("authorization");
    const { name, description, parameters } = request.tools[0] ?? {};
    expect(sent()?.body).toEqual({
      model: "claude-opus-5",
      stream: true,
      max_tokens: 1_000,
      system: [{ type: "text", text: "You write code.", cache_control: { type: "ephemeral" } }],
      tools: [{ name, description, input_schema: parameters }],
      messages: [{ role: "user", content: [{ type: "text", text: "Begin." }] }],
    });
  });

  it("gives text, calls and all of its usage, and gets its thoughts back, with a cache point behind", async () => {
    const asked = await model("messages", { body: messagesAnswer });
    const answer = await asked.ask(request);
    const id = "toolu_01A09q90qw90lq917835lq9";
    expect(answer).toMatchObject({
      text: "Looking.",
      toolCalls: [{ id, name: "list_files", arguments: '{"prefix":"src"}' }],
      finish: "tools",
      usage: { inputTokens: 50 + 248 + 1_800, cachedTokens: 1_800, outputTokens: 89 },
      requestId: "msg_01Aq9w938a90dw8q",
    });
    await asked.ask(continued(answer));
    const [thinking, text, call] = messagesAnswer.content;
    expect(sent()?.body.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "Begin." }] },
      { role: "assistant", content: [thinking, text, { ...call, cache_control: { type: "ephemeral" } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "a.ts\n\n9 turns left" }] },
    ]);
  });

  it("thinks as much as the option says, without a temperature", async () => {
    await (await model("messages", { body: messagesAnswer })).ask({ ...request, effort: "low" });
    expect(sent()?.body).toMatchObject({ thinking: { type: "adaptive" }, output_config: { effort: "low" } });
    expect(sent()?.body).not.toHaveProperty("temperature");
  });

  it("is not believed a call that the output limit cut: half a file would look like a whole one", async () => {
    const answer = await (await model("messages", { body: { ...messagesAnswer, stop_reason: "max_tokens" } })).ask(
      request,
    );
    expect(answer).toMatchObject({ finish: "cut", toolCalls: [], text: "Looking." });
  });
});

describe("an option that a model does not take", () => {
  it.each<[Api, string, string]>([
    ["responses", "temperature", "Unsupported parameter: 'temperature' is not supported with this model."],
    ["responses", "reasoning", "Unsupported parameter: 'reasoning.effort' is not supported with this model."],
    ["messages", "output_config", "This model does not support the effort parameter."],
    ["messages", "thinking", "adaptive thinking is not supported on this model"],
  ])("is left out from then on: %s %s", async (api, field, message) => {
    server = await startJsonServer(({ body }) =>
      field in body
        ? { status: 400, body: { error: { type: "invalid_request_error", message } } }
        : { body: api === "messages" ? messagesAnswer : responsesAnswer },
    );
    const own = { ...profile, model: names[api], api };
    const asked = createProtocolModel(protocols[api], { profile: own, apiKey: KEY, baseUrl: server.url });
    for (let turn = 0; turn < 2; turn++) await asked.ask({ ...request, effort: "high" });
    expect(server.requests.map(({ body }) => field in body)).toEqual([true, false, false]);
  });

  it("is asked about once, whatever the words are", async () => {
    const body = { error: { message: "temperature and effort are not supported" } };
    const asked = await model("responses", { status: 400, body });
    expect((await errorOf(asked.ask({ ...request, effort: "high" }))).kind).toBe("refused");
    expect(server?.requests.length).toBeLessThanOrEqual(3);
  });
});

describe("an answer that is nested too deeply", () => {
  const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;

  it("is one whose call cannot be read, or none", async () => {
    const call = `{"type":"tool_use","id":"t","name":"list_files","input":{"a":${deep}}}`;
    const text = `{"content":[${call}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}}`;
    const answer = await (await model("messages", { body: text })).ask(request);
    expect(answer.toolCalls).toMatchObject([{ arguments: "(nested too deeply)" }]);
    await server?.close();
    const thoughts = `{"output":[{"type":"reasoning","summary":${deep}}],"status":"completed"}`;
    const error = await errorOf((await model("responses", { body: thoughts })).ask(request));
    expect(error.kind).toBe("broken_answer");
  });
});

describe("what a provider's refusal means", () => {
  const anthropic = (type: string, message: string) => ({ type: "error", error: { type, message } });
  it.each<[Api, number, unknown, string, RegExp]>([
    ["messages", 401, anthropic("authentication_error", "invalid x-api-key"), "credentials", /ANTHROPIC_API_KEY/],
    ["messages", 404, anthropic("not_found_error", "model: claude-9"), "unknown_model", /claude-opus-5/],
    ["messages", 429, anthropic("rate_limit_error", "Slow down."), "rate_limited", /Slow down/],
    ["messages", 529, anthropic("overloaded_error", "Overloaded"), "unavailable", /Overloaded/],
    ["messages", 400, anthropic("invalid_request_error", "prompt is too long: 9 > 8"), "context_exceeded", /9 > 8/],
    ["messages", 400, anthropic("invalid_request_error", "Your credit balance is too low"), "quota", /credit/],
    ["messages", 200, anthropic("api_error", "Inside."), "unavailable", /Inside/],
    ["responses", 401, { error: { message: "Incorrect API key provided." } }, "credentials", /OPENAI_API_KEY/],
    [
      "responses",
      200,
      { ...responsesAnswer, error: { code: "server_error", message: "Inside." } },
      "unavailable",
      /Inside/,
    ],
    ["responses", 200, "<html>", "broken_answer", /html/],
    ["responses", 200, {}, "broken_answer", /cannot be read/],
  ])("%s %i: %j", async (api, status, body, kind, words) => {
    const error = await errorOf((await model(api, { status, body })).ask(request));
    expect(error).toMatchObject({ kind, message: expect.stringMatching(words) });
    expect(server?.requests).toHaveLength(1);
  });

  it("is not needed where there is no key", () => {
    const own = { ...profile, model: names.messages };
    for (const apiKey of ["", "key with spaces"]) {
      expect(() => createProtocolModel(protocols.messages, { profile: own, apiKey })).toThrow(/ANTHROPIC_API_KEY/);
    }
  });
});
