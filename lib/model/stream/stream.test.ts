import { afterEach, describe, expect, it, vi } from "vitest";
import { thorough } from "../../../test/doubles/thorough.ts";
import { errorOf, KEY, profile, request } from "../../../test/servers/asking-fixture.ts";
import { type JsonReply, type JsonServer, startJsonServer } from "../../../test/servers/json-server.ts";
import { messagesAnswer, responsesAnswer } from "../../../test/servers/provider-examples.ts";
import { chatStream, messagesStream, responsesStream, streamReply } from "../../../test/servers/provider-streams.ts";
import type { Model } from "../../core/ports.ts";
import { createOpenAiModel } from "../openai.ts";
import { createProtocolModel } from "../protocols/protocol.ts";
import { protocols } from "../protocols/protocols.ts";
import type { OutgoingRequest, Reply, Send } from "../wire.ts";
import type { StartAssembly } from "./assembly.ts";
import { assembleChat } from "./chat-stream.ts";
import { assembleConverse } from "./converse-stream.ts";
import { createEventReader } from "./event-reader.ts";
import { assembleMessage } from "./messages-stream.ts";
import { sendStreaming } from "./streaming-send.ts";

const encoder = new TextEncoder();

describe("the events of a stream", () => {
  const text = 'event: one\r\ndata: {"a":\ndata: "é"}\n\n: a comment\n\ndata:last\n';

  it("are the same at each byte where the body is cut", () => {
    const bytes = encoder.encode(text);
    const expected = [
      { type: "one", data: '{"a":\n"é"}' },
      { type: "", data: "last" },
    ];
    for (let at = 0; at <= bytes.length; at += 1) {
      const reader = createEventReader();
      const events = [bytes.subarray(0, at), bytes.subarray(at)].flatMap((part) => reader.read(part));
      expect([...events, ...reader.end()]).toEqual(expected);
    }
  });

  it("are read in time where a line of megabytes arrives byte by byte", () => {
    const reader = createEventReader();
    const part = encoder.encode("x");
    const length = thorough(2_000_000, 8_000_000);
    reader.read(encoder.encode("data: "));
    for (let at = 0; at < length; at += 1) reader.read(part);
    expect(reader.end()[0]?.data).toHaveLength(length);
  });
});

let server: JsonServer | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await server?.close();
  server = undefined;
});

async function chatModel(...replies: JsonReply[]): Promise<Model> {
  let at = 0;
  server = await startJsonServer(() => replies[Math.min(at++, replies.length - 1)] as JsonReply);
  return createOpenAiModel({ profile, baseUrl: server.url, apiKey: KEY });
}

const CALL = { id: "call_1", function: { name: "list_files", arguments: '{"prefix":"src"}' } };
const USAGE = { prompt_tokens: 100, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 60 } };

describe("a streamed answer", () => {
  it("of Chat Completions is the answer that the server would send whole", async () => {
    const body = chatStream({ content: "Looking.", tool_calls: [CALL] }, { finish_reason: "tool_calls", usage: USAGE });
    const answer = await (await chatModel(streamReply(body))).ask(request);
    expect(answer).toMatchObject({
      text: "Looking.",
      toolCalls: [{ id: "call_1", name: "list_files", arguments: '{"prefix":"src"}' }],
      finish: "tools",
      usage: { inputTokens: 100, cachedTokens: 60, outputTokens: 20 },
      model: "gpt-4o-mini",
    });
    expect(server?.requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it("has the usage that its last chunk says, where each says more than the one before", async () => {
    const chunk = (content: string, completion_tokens: number) =>
      `data: ${JSON.stringify({ choices: [{ delta: { content } }], usage: { prompt_tokens: 100, completion_tokens } })}\n\n`;
    const growing = `${chunk("Look", 1)}${chunk("ing", 2)}${chunk(".", 3)}data: [DONE]\n\n`;
    const answer = await (await chatModel(streamReply(growing))).ask(request);
    expect(answer).toMatchObject({ text: "Looking.", usage: { inputTokens: 100, outputTokens: 3 } });
  });

  it.each([
    ["responses", responsesStream(responsesAnswer), responsesAnswer],
    ["messages", messagesStream(messagesAnswer), messagesAnswer],
  ] as const)("of the %s protocol is the answer that it sends whole", async (api, stream, whole) => {
    let body: unknown = stream;
    server = await startJsonServer(({ body: asked }) => {
      expect(asked.stream).toBe(typeof body === "string" ? true : undefined);
      return typeof body === "string" ? streamReply(body) : { body };
    });
    const model = createProtocolModel(protocols[api], {
      profile: { ...profile, api },
      apiKey: KEY,
      baseUrl: server.url,
    });
    const { milliseconds: _, ...streamed } = await model.ask(request);
    body = whole;
    expect(streamed).toEqual({ ...(await model.ask({ ...request, stream: false })), milliseconds: undefined });
  });

  it("has several calls, whether the server numbers them, numbers all 0, or not at all", () => {
    const second = { id: "call_2", function: { name: "read_files", arguments: "{}" } };
    const deltas = [
      [
        { index: 0, ...CALL },
        { index: 1, ...second },
      ],
      [
        { index: 0, ...CALL },
        { index: 0, ...second },
      ],
      [CALL, second],
    ];
    for (const calls of deltas) {
      const assembly = assembleChat();
      for (const call of calls)
        assembly.add({ type: "", data: JSON.stringify({ choices: [{ delta: { tool_calls: [call] } }] }) });
      assembly.add({ type: "", data: "[DONE]" });
      expect(JSON.stringify(assembly.body()?.choices).match(/call_\d/g)).toEqual(["call_1", "call_2"]);
    }
  });

  it("is asked for without its usage, and then whole, from a server that refuses these options", async () => {
    const refused = (message: string): JsonReply => ({ status: 400, body: { error: { message } } });
    const whole = { body: { choices: [{ message: { content: "Hello." }, finish_reason: "stop" }] } };
    const model = await chatModel(
      refused("Unknown parameter: 'stream_options'."),
      refused("Streaming is not supported for this model."),
      whole,
    );
    expect(await model.ask(request)).toMatchObject({ text: "Hello.", usageEstimated: true });
    const bodies = server?.requests.map(({ body }) => [body.stream, body.stream_options]);
    expect(bodies).toEqual([
      [true, { include_usage: true }],
      [true, undefined],
      [undefined, undefined],
    ]);
  });

  it("is whole from a server that streams nothing, and is not asked for where the run says so", async () => {
    const whole = { body: { choices: [{ message: { content: "Hello." }, finish_reason: "stop" }] } };
    const model = await chatModel(whole);
    expect(await model.ask(request)).toMatchObject({ text: "Hello." });
    await model.ask({ ...request, stream: false });
    expect(server?.requests[1]?.body).not.toHaveProperty("stream");
  });
});

describe("a stream that does not end well", () => {
  it("in the middle of a call is no answer; what was written is kept and said", async () => {
    const whole = chatStream({ content: "Looking.", tool_calls: [CALL] }, { finish_reason: "tool_calls" });
    const error = await errorOf(
      (await chatModel(streamReply(whole.slice(0, whole.indexOf('"finish_reason":"tool_calls"'))))).ask(request),
    );
    expect(error).toMatchObject({ kind: "unavailable", perhapsPaid: true });
    expect(error.received).toContain("Looking.");
    expect(error.message).toMatch(/closed the connection before its answer was complete, after \d+ characters of it/);
  });

  it("with an error inside is that error", async () => {
    const begun = 'data: {"choices":[{"delta":{"content":"Loo"}}]}\n\n';
    const inside = 'data: {"error":{"message":"Slow down.","code":429}}\n\n';
    const error = await errorOf((await chatModel(streamReply(begun + inside))).ask(request));
    // What had been written is paid for; a refusal before that is not.
    expect(error).toMatchObject({ kind: "rate_limited", status: 429, perhapsPaid: true, received: "Loo" });
    const refused = await errorOf((await chatModel(streamReply(inside))).ask(request));
    expect(refused).toMatchObject({ kind: "rate_limited", perhapsPaid: false, received: undefined });
  });

  it.each([
    ["messages", messagesStream(messagesAnswer), '{"type":"overloaded_error","message":"Overloaded"}', "unavailable"],
    ["messages", messagesStream(messagesAnswer), '{"type":"rate_limit_error","message":"Slow down"}', "rate_limited"],
    ["messages", messagesStream(messagesAnswer), '{"type":"new_error","message":"Something new"}', "broken_answer"],
    [
      "responses",
      responsesStream(responsesAnswer),
      '{"code":"server_error","message":"We had an error"}',
      "unavailable",
    ],
  ] as const)(
    "of the %s protocol is settled at what had been written where it breaks off: %#",
    async (api, whole, error, kind) => {
      const half = whole.slice(0, whole.lastIndexOf("event:", whole.length * 0.8));
      let text = `${half}event: error\ndata: {"type":"error","error":${error}}\n\n`;
      server = await startJsonServer(() => streamReply(text));
      const model = createProtocolModel(protocols[api], {
        profile: { ...profile, api },
        apiKey: KEY,
        baseUrl: server.url,
      });
      const broken = await errorOf(model.ask(request));
      expect(broken).toMatchObject({ kind, perhapsPaid: true });
      expect(broken.received).toContain("Looking.");
      text = text.slice(text.lastIndexOf("event: error"));
      const refused = await errorOf(model.ask(request));
      expect(refused).toMatchObject({ kind, perhapsPaid: kind === "broken_answer", received: undefined });
    },
  );

  it("because the server cannot read the call is an answer that the model hears of", async () => {
    const message = "The model produced output that does not match the expected peg-native format";
    const inside = `data: ${JSON.stringify({ error: { code: 500, message } })}\n\n`;
    const answer = await (await chatModel(streamReply(inside))).ask(request);
    expect(answer).toMatchObject({ finish: "other", text: expect.stringContaining(message) });
  });

  it("as a page instead of an answer is said to be none", async () => {
    const page = { headers: { "content-type": "text/html" }, body: "<html>Sign in</html>" };
    const error = await errorOf((await chatModel(page)).ask(request));
    expect(error).toMatchObject({ kind: "broken_answer", perhapsPaid: true });
    expect(error.message).toContain("gave an answer that cannot be read");
  });

  const sending: OutgoingRequest = {
    url: "",
    method: "POST",
    headers: {},
    body: "",
    signal: new AbortController().signal,
  };
  const first = encoder.encode('data: {"choices":[{"delta":{"content":"Begin"}}]}\n\n');

  it("because nothing more arrives is given up after the idle time, however much of the total is left", async () => {
    vi.useFakeTimers();
    const stalled: Send = ({ signal, onPart }) =>
      new Promise((resolve) => {
        onPart?.(first);
        signal.addEventListener("abort", () => resolve({ silence: "aborted", code: "", sent: true }));
      });
    const outcome = sendStreaming(stalled, sending, { startAssembly: assembleChat, idleMs: 60_000 });
    await vi.advanceTimersByTimeAsync(59_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await outcome).toEqual({ silence: "aborted", code: "", sent: true, received: "Begin", idleMs: 60_000 });
  });

  const flood: [string, StartAssembly, (call: number) => string][] = [
    ["chat", assembleChat, (call) => `{"choices":[{"delta":{"tool_calls":[{"index":${call},"id":"c${call}"}]}}]}`],
    ["messages", assembleMessage, (index) => `{"type":"content_block_start","index":${index},"content_block":{}}`],
    ["converse", assembleConverse, (index) => `{"contentBlockIndex":${index},"start":{"toolUse":{}}}`],
  ];

  it.each(flood)("because it has calls without an end (%s) is refused, and is not joined meanwhile", async (...way) => {
    const [, startAssembly, data] = way;
    let [calls, joined] = [0, 0];
    const counted: StartAssembly = () => {
      const assembly = startAssembly();
      return { ...assembly, received: () => `${joined++}${assembly.received()}` };
    };
    const endless: Send = async ({ signal, onPart }) => {
      while (!signal.aborted && calls < 20_000)
        onPart?.(encoder.encode(`event: contentBlockStart\ndata: ${data(calls++)}\n\n`));
      return { silence: "aborted", code: "", sent: true };
    };
    const outcome = await sendStreaming(endless, sending, { startAssembly: counted, idleMs: 60_000 });
    expect(outcome).toMatchObject({ silence: "too_large", sent: true });
    expect(calls).toBe(10_001);
    expect(joined).toBe(1);
  });

  it("shows how much has arrived, at most once a second, and at the end", async () => {
    let now = 0;
    const shown: number[] = [];
    const talking: Send = async ({ onPart }): Promise<Reply> => {
      for (let part = 0; part < 50; part += 1) {
        now += 100;
        onPart?.(first);
      }
      onPart?.(encoder.encode("data: [DONE]\n\n"));
      return { status: 200, headers: { "content-type": "text/event-stream" }, text: "" };
    };
    const settings = { startAssembly: assembleChat, idleMs: 60_000, now: () => now };
    const reply = await sendStreaming(talking, sending, { ...settings, onProgress: (count) => shown.push(count) });
    expect(shown).toEqual([50, 100, 150, 200, 250, 250]);
    expect(JSON.parse((reply as Reply).text).choices[0].message.content).toHaveLength(250);
  });
});
