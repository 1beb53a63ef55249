import { afterEach, describe, expect, it } from "vitest";
import { errorOf, profile, request } from "../../test/servers/asking-fixture.ts";
import type { ScriptedRequest } from "../../test/servers/scripted-completion.ts";
import { refusal, reply } from "../../test/servers/scripted-faults.ts";
import { type ScriptedServer, startScriptedServer } from "../../test/servers/scripted-openai.ts";
import type { ModelRequest } from "../core/ports.ts";
import { createOpenAiModel } from "./openai.ts";
import type { DialectFix } from "./request-dialect.ts";

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

/** Refuses every request that has the field, in the words given. */
async function against(field: string, message: string, { status = 400, param = null as string | null } = {}) {
  server = await startScriptedServer({
    answer: () => ({ toolCalls: [{ name: "list_files", arguments: {} }] }),
    refuse: ({ body }) => (body[field] === undefined ? undefined : refusal(status, { message, param })),
  });
  return createOpenAiModel({ profile, baseUrl: server.url });
}
const bodies = (): ScriptedRequest["body"][] => (server?.requests ?? []).map(({ body }) => body);

describe("a parameter that a server refuses", () => {
  it.each([
    [
      "temperature",
      "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.",
    ],
    ["temperature", "Unsupported parameter: 'temperature' is not supported with this model."],
    ["seed", 'Invalid JSON payload received. Unknown name "seed": Cannot find field.'],
    ["reasoning_effort", "Unrecognized request argument supplied: reasoning_effort"],
    ["parallel_tool_calls", "Unsupported parameter: 'parallel_tool_calls' is not supported with this model."],
    ["tool_choice", "Thinking mode does not support this tool_choice"],
    ["tool_choice", "No endpoints found that support the provided 'tool_choice' value."],
  ])("is left out from then on: %s (%s)", async (field, message) => {
    const model = await against(field, message);
    const asked = field === "reasoning_effort" ? { ...request, effort: "low" as const } : request;
    expect((await model.ask(asked)).toolCalls).toHaveLength(1);
    await model.ask(asked);
    expect(bodies().map((body) => field in body)).toEqual([true, false, false]);
    const { [field]: _refused, ...others } = bodies()[0] ?? {};
    expect(bodies()[1]).toEqual(others);
  });

  it("is recognised in a list of what was forbidden, too", async () => {
    server = await startScriptedServer({
      answer: () => ({ text: "ok" }),
      refuse: ({ body }) =>
        body.seed === undefined
          ? undefined
          : reply(422, {
              detail: [{ type: "extra_forbidden", loc: ["body", "seed"], msg: "Extra inputs are not permitted" }],
            }),
    });
    await createOpenAiModel({ profile, baseUrl: server.url }).ask(request);
    expect(bodies().map((body) => body.seed)).toEqual([7, undefined]);
  });

  it("is sent by its other name, where it is the output limit", async () => {
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    await (await against("max_tokens", message, { param: "max_tokens" })).ask(request);
    expect(bodies()[1]).toMatchObject({ max_completion_tokens: 1_000 });
    expect(bodies()[1]).not.toHaveProperty("max_tokens");
  });

  it("is never left out, where it is the output limit: the call would have no bound", async () => {
    server = await startScriptedServer({
      answer: () => ({ text: "ok" }),
      refuse: () => refusal(400, { message: "Unsupported parameter: max_tokens, max_completion_tokens" }),
    });
    expect((await errorOf(createOpenAiModel({ profile, baseUrl: server.url }).ask(request))).kind).toBe("refused");
    expect(bodies()).toHaveLength(2);
  });

  it.each([
    "max_tokens is too large: 1000. This model supports at most 512 completion tokens, whereas you provided 1000.",
    "`max_completion_tokens` must be less than or equal to `512`, the maximum value for `max_completion_tokens` is less than the `context_window` for this model",
    "Invalid max_tokens value, the valid range of max_tokens is [1, 512]",
    "The parameter `max_tokens` is not valid: integer above maximum value, expected a value <= 512, but got 1000 instead.",
  ])("is lowered, where it is more than the model can write: %s", async (message) => {
    server = await startScriptedServer({
      answer: () => ({ text: "ok" }),
      refuse: ({ maxTokens = 0 }) => (maxTokens > 512 ? refusal(400, { message, param: "max_tokens" }) : undefined),
    });
    const model = createOpenAiModel({ profile, baseUrl: server.url });
    await model.ask(request);
    await model.ask({ ...request, maxOutputTokens: 300 });
    expect(server.requests.map(({ maxTokens }) => maxTokens)).toEqual([1_000, 512, 300]);
  });
});

describe("a server that takes no tools", () => {
  it.each([
    [400, "registry.ollama.ai/library/gemma3:4b does not support tools"],
    [500, "Unsupported param: tools"],
    [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
    [404, 'No endpoints found that support tool use. Try disabling "list_files".'],
    [400, "Function tools with reasoning_effort are not supported for gpt-5.6-terra in /v1/chat/completions."],
    [400, "Missing `reasoning_content` field in the assistant message at message index 2."],
    [500, "Conversation roles must alternate user/assistant/user/assistant/..."],
    [
      400,
      "Unable to generate parser for this template. Automatic parser generation failed: Object key of unhashable type: Array",
    ],
    [500, "Jinja Exception: Function has no builtins"],
  ])("is spoken to by JSON schema from then on: %i %s", async (status, message) => {
    const model = await against("tools", message, { status });
    expect((await model.ask(request)).toolCalls).toMatchObject([{ name: "list_files", arguments: "{}" }]);
    await model.ask(request);
    expect(server?.requests.map(({ responseFormat }) => responseFormat?.type)).toEqual([
      undefined,
      "json_schema",
      "json_schema",
    ]);
  });

  it.each([
    [
      400,
      "Invalid schema for response_format 'tool_call': In context=(), 'anyOf' is not permitted.",
      "response_format",
    ],
    [400, "failed to parse grammar: number of repetitions exceeds sane defaults", null],
    [500, "JSON schema conversion failed: Unrecognized schema", null],
  ])("leaves the arguments open where it refuses their schemas: %i %s", async (status, message, param) => {
    server = await startScriptedServer({
      answer: () => ({ toolCalls: [{ name: "list_files", arguments: {} }] }),
      refuse: ({ body }) => (JSON.stringify(body).includes("anyOf") ? refusal(status, { message, param }) : undefined),
    });
    const model = createOpenAiModel({ profile: { ...profile, convention: "schema" }, baseUrl: server.url });
    for (const _ of [1, 2]) expect((await model.ask(request)).toolCalls).toMatchObject([{ name: "list_files" }]);
    const schemas = bodies().map(({ response_format }) => JSON.stringify(response_format));
    expect(schemas.map((schema) => schema.includes('additionalProperties":true'))).toEqual([false, true, true]);
  });

  it("is spoken to in JSON mode where it has no schemas, and in words where it has no JSON mode", async () => {
    server = await startScriptedServer({
      dialect: "llama.cpp",
      answer: () => ({ text: '{"tool": "list_files", "arguments": {}}' }),
      refuse: ({ body }) => {
        if (body.response_format === undefined) return undefined;
        return refusal(400, { message: "This response_format type is unavailable now" });
      },
    });
    const answer = await createOpenAiModel({ profile, baseUrl: server.url }).ask(request);
    expect(bodies().map((body) => body.response_format && (body.response_format as { type: string }).type)).toEqual([
      undefined,
      "json_schema",
      "json_schema",
      "json_object",
      undefined,
    ]);
    expect(answer.toolCalls).toMatchObject([{ name: "list_files" }]);
  });

  it("is spoken to by JSON schema after two native calls that it could not read, each of which is an answer", async () => {
    const message = "The model produced output that does not match the expected peg-native format";
    const model = await against("tools", message, { status: 500 });
    expect(await model.ask(request)).toMatchObject({
      text: `(no readable call: ${message})`,
      toolCalls: [],
      finish: "other",
      usageEstimated: true,
    });
    await model.ask(request);
    expect((await model.ask(request)).toolCalls).toMatchObject([{ name: "list_files" }]);
    expect(bodies().map((body) => "response_format" in body)).toEqual([false, false, true]);
  });

  it("gets the system message from the user where it knows no such role", async () => {
    server = await startScriptedServer({
      answer: () => ({ text: "ok" }),
      refuse: ({ messages }) =>
        messages[0]?.role === "system" ? refusal(500, { message: "System role not supported" }) : undefined,
    });
    await createOpenAiModel({ profile, baseUrl: server.url }).ask(request);
    expect(bodies()[1]?.messages).toEqual([{ role: "user", content: "You write code.\n\nBegin." }]);
  });
});

describe("a chat template", () => {
  const calls = ["a", "b"].map((id) => ({ id, name: "list_files", arguments: "{}" }));
  const messages: ModelRequest["messages"] = [
    ...request.messages,
    { role: "assistant", content: "Both.", toolCalls: calls },
    ...calls.map(({ id }) => ({ role: "tool" as const, content: `of ${id}`, toolCallId: id, name: "list_files" })),
  ];

  it("that takes one call at a time gets the calls of earlier turns one by one, each with its result", async () => {
    server = await startScriptedServer({
      answer: () => ({ text: "ok" }),
      refuse: ({ messages: sent }) =>
        sent.some(({ tool_calls = [] }) => tool_calls.length > 1)
          ? refusal(400, { message: "This model only supports single tool-calls at once!" })
          : undefined,
    });
    await createOpenAiModel({ profile, baseUrl: server.url }).ask({ ...request, messages });
    const sent = server.requests[1]?.messages.slice(2);
    expect(sent?.map(({ role, content, tool_calls }) => [role, content, tool_calls?.map(({ id }) => id)])).toEqual([
      ["assistant", "Both.", ["a"]],
      ["tool", "of a", undefined],
      ["assistant", null, ["b"]],
      ["tool", "of b", undefined],
    ]);
    expect(server.requests[1]?.body).not.toHaveProperty("parallel_tool_calls");
  });

  it("is not offered null as a type, whatever the parameter is called", async () => {
    server = await startScriptedServer({ answer: () => ({ text: "ok" }) });
    const type = { type: ["string", "null"], description: "Of what kind." };
    const list = { type: ["array", "null"], items: { type: "object", properties: { type } } };
    const either = { type: ["string", "integer", "null"] };
    const parameters = { type: "object", properties: { type, list, either } };
    const [tool] = request.tools;
    await createOpenAiModel({ profile, baseUrl: server.url }).ask({
      ...request,
      tools: [{ name: "list_files", description: "", ...tool, parameters }],
    });
    const kind = { type: "string", description: "Of what kind." };
    expect(server.requests[0]?.tools[0]?.parameters).toEqual({
      type: "object",
      properties: {
        type: kind,
        list: { type: "array", items: { type: "object", properties: { type: kind } } },
        either: { type: ["string", "integer"] },
      },
    });
  });
});

describe("what was dialectFixes", () => {
  it("is there for the next adapter of the same server", async () => {
    const dialectFixes: DialectFix = {};
    server = await startScriptedServer({ answer: () => ({ text: "ok" }), dialect: "llama.cpp" });
    await createOpenAiModel({ profile, baseUrl: server.url, dialectFixes }).ask(request);
    expect(dialectFixes).toEqual({ convention: "schema" });
    await createOpenAiModel({ profile, baseUrl: server.url, dialectFixes }).ask(request);
    expect(server.requests).toHaveLength(3);
  });

  it("is said with the answer, and known to an adapter that is opened with it", async () => {
    server = await startScriptedServer({ answer: () => ({ text: "ok" }), dialect: "llama.cpp" });
    const { dialect } = await createOpenAiModel({ profile, baseUrl: server.url }).ask(request);
    expect(dialect).toEqual({ convention: "schema" });
    const again = { ...profile, ...(dialect ? { dialect } : {}) };
    expect((await createOpenAiModel({ profile: again, baseUrl: server.url }).ask(request)).dialect).toEqual(dialect);
    expect(server.requests).toHaveLength(3);
  });

  it("is nothing from refusals about something else: they are sent once", async () => {
    for (const message of ["Invalid schema for function 'list_files'.", "Something is unsupported."]) {
      server = await startScriptedServer({ answer: () => ({ text: "ok" }), refuse: () => refusal(400, { message }) });
      expect((await errorOf(createOpenAiModel({ profile, baseUrl: server.url }).ask(request))).kind).toBe("refused");
      expect(server.requests).toHaveLength(1);
      await server.close();
    }
  });

  it.each([
    [500, "temperature is not supported", "unavailable"],
    [403, "Your plan does not support tools", "credentials"],
    [429, "Too many requests: this tier does not support tools at this rate", "rate_limited"],
  ])("is nothing from a %i, which means something else or may have been paid for", async (status, message, kind) => {
    server = await startScriptedServer({ answer: () => ({ text: "ok" }), refuse: () => refusal(status, { message }) });
    expect((await errorOf(createOpenAiModel({ profile, baseUrl: server.url }).ask(request))).kind).toBe(kind);
    expect(server.requests).toHaveLength(1);
  });

  it("ends, however much a server refuses", async () => {
    const fields = [
      "temperature",
      "seed",
      "parallel_tool_calls",
      "tool_choice",
      "tools",
      "response_format",
      "max_tokens",
    ];
    server = await startScriptedServer({
      answer: () => ({ text: "ok" }),
      refuse: () => refusal(400, { message: `not supported: system role, '${fields.join("', '")}'` }),
    });
    expect((await errorOf(createOpenAiModel({ profile, baseUrl: server.url }).ask(request))).kind).toBe("refused");
    expect(server.requests.length).toBeLessThanOrEqual(13);
  });
});
