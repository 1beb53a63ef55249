/** Model servers that mean harm, on a socket: each call ends, is no answer or one that is bounded, and shows no escapes. */
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { KEY, profile, request } from "../../test/servers/asking-fixture.ts";
import { ModelError } from "../core/errors.ts";
import { createOpenAiModel } from "./openai.ts";

type Play = (socket: Socket) => void;

let server: Server | undefined;
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  server?.close();
});

/** Plays at the first bytes of each request. */
async function listen(play: Play): Promise<string> {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).once("data", () => play(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v1`;
}

const reply = (status: string, body: string | Buffer, ...headers: string[]): Buffer => {
  const bytes = Buffer.from(body);
  const head = [`HTTP/1.1 ${status}`, "content-type: application/json", `content-length: ${bytes.length}`, ...headers];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), bytes]);
};

const completion = (message: object, more: object = {}): string =>
  JSON.stringify({
    ...{ id: "x", model: "m", choices: [{ index: 0, message, finish_reason: "stop" }] },
    ...{ usage: { prompt_tokens: 10, completion_tokens: 5 }, ...more },
  });

/** As fast as they are taken, until the other end closes. */
const endless =
  (head: string, piece: Buffer): Play =>
  (socket) => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on("drain", more).write(head);
    more();
  };

const CHUNKED = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
const ESCAPES = "\u001b]0;evil\u0007\u001b[2J\u202e";
const call = (name: string, text: string) => ({ id: "c", type: "function", function: { name, arguments: text } });
const calling = (...calls: object[]): Play =>
  sending(reply("200 OK", completion({ role: "assistant", content: null, tool_calls: calls })));

function sending(bytes: Buffer): Play {
  return (socket) => void socket.end(bytes);
}

async function ask(play: Play, timeoutMs = 100_000) {
  const model = createOpenAiModel({ profile, baseUrl: await listen(play), apiKey: KEY });
  return model.ask({ ...request, timeoutMs });
}

async function failureOf(play: Play, timeoutMs?: number): Promise<ModelError> {
  const error = await ask(play, timeoutMs).then(
    () => undefined,
    (problem: unknown) => problem,
  );
  if (!(error instanceof ModelError)) throw new Error(`It is no error of a model: ${String(error)}`);
  return error;
}

describe("a model server whose answer has no end", () => {
  it.each<[string, Play, string]>([
    ["megabytes in chunks", endless(CHUNKED, Buffer.from(`f4240\r\n${" ".repeat(1_000_000)}\r\n`)), "broken_answer"],
    ["an extension of a chunk", endless(`${CHUNKED}1;`, Buffer.alloc(1_000_000, "a")), "unavailable"],
    [
      "more than its length says",
      endless("HTTP/1.1 200 OK\r\ncontent-length: 2147483648\r\n\r\n", Buffer.alloc(1_000_000)),
      "broken_answer",
    ],
    ["headers", endless("HTTP/1.1 200 OK\r\n", Buffer.from(`x: ${"v".repeat(1_000)}\r\n`)), "unavailable"],
    ["no HTTP", endless("", Buffer.alloc(1_000_000)), "unavailable"],
  ])("ends the call: %s", async (_name, play, kind) => {
    expect(await failureOf(play)).toMatchObject({ kind, perhapsPaid: true });
  });

  it.each<[string, string]>([
    ["a header", "HTTP/1.1 200 OK\r\nx: "],
    ["a body", "HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n"],
    ["informational answers", "HTTP/1.1 102 Processing\r\n\r\n"],
  ])("ends the call at its time where nothing follows %s", async (_name, head) => {
    const error = await failureOf((socket) => void socket.write(head), 100);
    expect(error).toMatchObject({ kind: "timed_out", perhapsPaid: true });
  });

  it("unpacks no more than an answer may have", async () => {
    const zeros = gzipSync(Buffer.alloc(100 * 1024 * 1024), { level: 1 });
    const error = await failureOf(sending(reply("200 OK", zeros, "content-encoding: gzip")));
    expect(error).toMatchObject({ kind: "broken_answer" });
    expect(error.message.length).toBeLessThan(1_000);
  });
});

describe("a model server that answers with harm", () => {
  it("gives calls by names of the language, and changes no object", async () => {
    const harm = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const answer = await ask(calling(call("__proto__", harm), call("constructor", harm), call("toString", "{}")));
    expect(answer.toolCalls.map(({ name }) => name)).toEqual(["__proto__", "constructor", "toString"]);
    expect({}).not.toHaveProperty("polluted");
  });

  it("gives no more calls than a conversation can hold", async () => {
    const calls = Array.from({ length: 100_000 }, () => call("list_files", "{}"));
    const { toolCalls } = await ask(calling(...calls));
    expect(toolCalls).toHaveLength(128);
    expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(128);
  });

  it.each<[string, Play]>([
    ["a status beyond all", sending(reply("999 X", completion({ content: "hi" })))],
    ["a page of half a megabyte", sending(reply("500 X", "<script>".repeat(60_000)))],
    ["angle brackets", sending(reply("400 X", "<".repeat(3_000_000)))],
    ["escapes", sending(reply("401 X", JSON.stringify({ error: { message: `bad key ${KEY} ${ESCAPES}` } })))],
  ])("is quoted in few words: %s", async (_name, play) => {
    const { message } = await failureOf(play);
    expect(message.length).toBeLessThan(1_000);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
    expect(message).not.toMatch(/[\u0000-\u0008\u001b\u202e]/);
    expect(message).not.toContain(KEY);
  });

  it.each(["1e308", "-5", "Fri, 31 Dec 9999 23:59:59 GMT", "9".repeat(400)])(
    "is waited for no longer than a year: Retry-After %s",
    async (after) => {
      const error = await failureOf(sending(reply("429 X", '{"error":{"message":"slow"}}', `retry-after: ${after}`)));
      expect(error.kind).toBe("rate_limited");
      expect(error.retryAfterMs ?? 0).toBeGreaterThanOrEqual(0);
      expect(error.retryAfterMs ?? 0).toBeLessThanOrEqual(365 * 24 * 3_600_000);
    },
  );
});
