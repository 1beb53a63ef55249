import { afterEach, describe, expect, it } from "vitest";
import { profile, request } from "../../test/servers/asking-fixture.ts";
import { reply, rubbish } from "../../test/servers/scripted-faults.ts";
import {
  type ScriptedServer,
  type ScriptedServerOptions,
  startScriptedServer,
} from "../../test/servers/scripted-openai.ts";
import { createOpenAiModel, type OpenAiModel } from "./openai.ts";

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

async function ask(options: Partial<ScriptedServerOptions>, model: Partial<OpenAiModel> = {}, asked = request) {
  server = await startScriptedServer({
    answer: () => ({ text: "Looking.", toolCalls: [{ name: "list_files", arguments: { prefix: "src" } }] }),
    ...options,
  });
  return createOpenAiModel({ profile, baseUrl: server.url, ...model }).ask(asked);
}

describe("one exchange with an OpenAI-compatible server", () => {
  it("sends messages, tools and limits in OpenAI's form", async () => {
    await ask({}, { apiKey: "sk-test-1234567890" });
    expect(server?.requests[0]?.body).toEqual({
      model: "scripted",
      stream: true,
      stream_options: { include_usage: true },
      messages: request.messages,
      tools: [{ type: "function", function: request.tools[0] }],
      tool_choice: "required",
      parallel_tool_calls: true,
      max_tokens: 1_000,
      temperature: 0.5,
      seed: 7,
    });
    expect(server?.requests[0]?.headers.authorization).toBe("Bearer sk-test-1234567890");
  });

  it("says how much to think where that was asked for", async () => {
    await ask({}, {}, { ...request, effort: "high" });
    expect(server?.requests[0]?.body.reasoning_effort).toBe("high");
  });

  it("reads text, calls, usage, model and request id", async () => {
    expect(await ask({})).toEqual({
      text: "Looking.",
      toolCalls: [{ id: "call_1_0", name: "list_files", arguments: '{"prefix":"src"}' }],
      finish: "tools",
      usage: { inputTokens: expect.any(Number), cachedTokens: 0, outputTokens: expect.any(Number) },
      model: "scripted",
      requestId: "req_scripted",
      milliseconds: expect.any(Number),
    });
  });

  it("sends the history so that servers which parse it are content", async () => {
    await ask(
      {},
      {},
      {
        ...request,
        messages: [
          ...request.messages,
          {
            role: "assistant",
            content: "",
            toolCalls: [
              { id: "a", name: "list_files", arguments: '{"prefix": "a"}' },
              { id: "b", name: "list_files", arguments: '{"prefix": "cut' },
            ],
          },
          { role: "tool", toolCallId: "a", name: "list_files", content: "none" },
        ],
      },
    );
    expect(server?.requests[0]?.messages.slice(2)).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "a", type: "function", function: { name: "list_files", arguments: '{"prefix": "a"}' } },
          { id: "b", type: "function", function: { name: "list_files", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: "a", content: "none" },
    ]);
  });

  it("gives the same bytes for the same request, and a longer conversation begins with the shorter one's", async () => {
    const bodies: string[] = [];
    const recording: typeof fetch = async (_url, init) => {
      bodies.push(String(init?.body));
      return new Response(JSON.stringify({ choices: [{ message: { content: "ok" }, finish_reason: "stop" }] }));
    };
    const model = createOpenAiModel({ profile, baseUrl: "http://localhost:1/v1", fetch: recording });
    await model.ask(request);
    await model.ask(request);
    await model.ask({ ...request, messages: [...request.messages, { role: "assistant", content: "ok" }] });
    expect(bodies[1]).toBe(bodies[0]);
    const prefix = bodies[0]?.slice(0, bodies[0].indexOf('],"tools"'));
    expect(bodies[2]?.startsWith(prefix ?? "?")).toBe(true);
  });

  it("guesses the usage where the server does not count, rather too high", async () => {
    const body = { choices: [{ message: { content: "x".repeat(300) }, finish_reason: "stop" }] };
    const answer = await ask({ faults: { 1: rubbish(JSON.stringify(body)) } });
    expect(answer.usageEstimated).toBe(true);
    expect(answer.usage.outputTokens).toBeGreaterThanOrEqual(100);
    expect(answer.usage.inputTokens).toBeGreaterThanOrEqual(Math.ceil(JSON.stringify(request.messages).length / 4));
  });

  it("hands a call that Groq could not read to the machine as text: it was paid for", async () => {
    const error = {
      message: "Failed to call a function.",
      code: "tool_use_failed",
      failed_generation: "<function=list_files>",
    };
    const answer = await ask({ faults: { 1: reply(400, { error }) } });
    expect(answer).toMatchObject({
      text: "<function=list_files>",
      toolCalls: [],
      finish: "other",
      usageEstimated: true,
    });
    expect(server?.requests).toHaveLength(1);
  });

  it("asks for no tool where none is offered", async () => {
    const answer = await ask({ answer: () => ({ text: "A report." }) }, {}, { ...request, tools: [] });
    expect(answer).toMatchObject({ text: "A report.", toolCalls: [], finish: "stop" });
    expect(server?.requests[0]?.body).not.toHaveProperty("tool_choice");
  });

  it("sends no authorization where there is no key", async () => {
    await ask({});
    expect(server?.requests[0]?.headers).not.toHaveProperty("authorization");
  });

  it("speaks to Azure: api-version in the query, the key in its own header too", async () => {
    const seen: { url: string; headers: Headers }[] = [];
    const azure: typeof fetch = async (url, init) => {
      seen.push({ url: String(url), headers: new Headers(init?.headers ?? {}) });
      return new Response(JSON.stringify({ choices: [{ message: { content: "ok" }, finish_reason: "stop" }] }));
    };
    const baseUrl = "https://mine.openai.azure.com/openai/deployments/gpt";
    await createOpenAiModel({ profile, baseUrl, apiVersion: "2024-10-21", apiKey: "azure-key-123", fetch: azure }).ask(
      request,
    );
    expect(seen[0]?.url).toBe(`${baseUrl}/chat/completions?api-version=2024-10-21`);
    expect(seen[0]?.headers.get("api-key")).toBe("azure-key-123");
    expect(seen[0]?.headers.get("authorization")).toBe("Bearer azure-key-123");
  });

  it("ignores what the environment says about OpenAI", async () => {
    const before = { ...process.env };
    Object.assign(process.env, { OPENAI_ORG_ID: "org-env", OPENAI_PROJECT_ID: "proj-env", OPENAI_API_KEY: "sk-env" });
    try {
      await ask({});
    } finally {
      process.env = before;
    }
    expect(JSON.stringify(server?.requests[0]?.headers)).not.toMatch(/org-env|proj-env|sk-env/);
  });
});

describe("the constrained conventions over the wire", () => {
  it("calls tools by JSON schema", async () => {
    const answer = await ask({ dialect: "llama.cpp" }, { profile: { ...profile, convention: "schema" } });
    expect(server?.requests[0]?.body.response_format).toMatchObject({ type: "json_schema" });
    expect(server?.requests[0]?.body).not.toHaveProperty("tools");
    expect(answer).toMatchObject({
      text: "Looking.",
      toolCalls: [{ id: "c00002000", name: "list_files", arguments: '{"prefix":"src"}' }],
      finish: "tools",
    });
  });

  it("calls tools in JSON mode, with repair", async () => {
    const content = 'Right away:\n```json\n{"tool": "list_files", "params": {"prefix": "src",}}\n```';
    const body = { choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }] };
    const answer = await ask(
      { faults: { 1: rubbish(JSON.stringify(body)) } },
      { profile: { ...profile, convention: "json" } },
    );
    expect(server?.requests[0]?.body.response_format).toEqual({ type: "json_object" });
    expect(answer.toolCalls).toEqual([{ id: "c00002000", name: "list_files", arguments: '{"prefix":"src"}' }]);
  });

  it("keeps an answer that is no call as text, for the machine to answer", async () => {
    const answer = await ask(
      { answer: () => ({ text: "All done." }) },
      { profile: { ...profile, convention: "schema" } },
    );
    expect(answer).toMatchObject({ text: "All done.", toolCalls: [], finish: "stop" });
  });
});
