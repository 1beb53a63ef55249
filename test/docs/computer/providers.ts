/** Model servers at the addresses of all providers: they answer in each one's protocol, and note who asked with which key. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { text as textOf } from "node:stream/consumers";
import { chatStream, converseStream, frames, messagesStream, responsesStream } from "../../servers/provider-streams.ts";

export interface Asked {
  host: string;
  path: string;
  model: string;
  /** The header that carries the key or the signature. */
  key: string;
}

type Body = Record<string, unknown>;

interface Call {
  name: string;
  args: object;
}

export async function answerAsProvider(request: IncomingMessage, response: ServerResponse): Promise<Asked | undefined> {
  const path = new URL(request.url ?? "/", "http://localhost").pathname;
  const { host = "", authorization, "x-api-key": key, "api-key": azure } = request.headers;
  if (request.method !== "POST") return void answerAbout(path, response);
  const body = JSON.parse((await textOf(request)) || "{}") as Body;
  const speak = PROTOCOLS.find(([end]) => end.test(path))?.[1];
  if (!speak) return void send(response, 404, "application/json", '{"error":{"message":"Not Found"}}');
  if (String(authorization ?? key).endsWith("refused-key"))
    return void send(response, 401, "application/json", '{"error":{"message":"Incorrect API key provided."}}');
  const call = nextCall(body);
  const [type, answer] = speak(call, body);
  send(response, 200, type, answer);
  return { host, path, model: String(body.model ?? ""), key: String(authorization ?? key ?? azure ?? "") };
}

/** Writes a program of one instruction, one file for each instruction, and completes it. */
function nextCall(body: Body): Call {
  const { tools, messages = [], input = [], toolConfig } = body as Record<string, Body[]>;
  // Where no tools are sent, the messages describe them.
  const offered = JSON.stringify(tools ?? toolConfig ?? messages);
  const own = [...messages, ...input].filter(({ role, type }) => role === "assistant" || type === "function_call");
  if (offered.includes("write_program")) return { name: "write_program", args: PROGRAM };
  if (JSON.stringify(own).includes("write_files"))
    return { name: "complete_instruction", args: { summary: "Written." } };
  written += 1;
  const file = { path: "notes.txt", content: `Note ${written}.\n` };
  return { name: "write_files", args: { files: [file] } };
}

let written = 0;
const PROGRAM = { instructions: [{ title: "Take notes", text: "Write a note.", requirements: [] }] };

const PROTOCOLS: [path: RegExp, speak: (call: Call, body: Body) => [type: string, answer: string | Uint8Array]][] = [
  [/\/chat\/completions$/, asChat],
  [
    /\/v1\/responses$/,
    ({ name, args }) => {
      const item = { type: "function_call", id: "fc_1", call_id: "call_1", name, arguments: JSON.stringify(args) };
      const usage = { input_tokens: 900, output_tokens: 40, total_tokens: 940 };
      return [EVENTS, responsesStream({ id: "resp_1", status: "completed", output: [item], usage })];
    },
  ],
  [
    /\/v1\/messages$/,
    ({ name, args: input }) => {
      const message = { id: "msg_1", type: "message", role: "assistant", stop_reason: "tool_use" };
      const content = [{ type: "tool_use", id: "toolu_1", name, input }];
      return [EVENTS, messagesStream({ ...message, content, usage: { input_tokens: 900, output_tokens: 40 } })];
    },
  ],
  [
    /\/converse-stream$/,
    ({ name, args: input }) => {
      const content = [{ toolUse: { toolUseId: "tooluse_1", name, input } }];
      const usage = { inputTokens: 900, outputTokens: 40, totalTokens: 940 };
      const answer = { output: { message: { content } }, stopReason: "tool_use", usage };
      return ["application/vnd.amazon.eventstream", frames(converseStream(answer))];
    },
  ],
];

const EVENTS = "text/event-stream; charset=utf-8";

function asChat({ name, args }: Call, { model, stream, tools }: Body): [string, string] {
  const call = { id: "call_1", type: "function", function: { name, arguments: JSON.stringify(args) } };
  const object = JSON.stringify({ thoughts: "", tool: name, arguments: args });
  const message = { role: "assistant", ...(tools ? { content: "", tool_calls: [call] } : { content: object }) };
  const usage = { prompt_tokens: 900, completion_tokens: 40, total_tokens: 940 };
  const head = { id: "chatcmpl-1", model };
  const reason = tools ? "tool_calls" : "stop";
  if (stream === true) return [EVENTS, chatStream(message, { finish_reason: reason, usage }, head)];
  const choices = [{ index: 0, finish_reason: reason, message }];
  return ["application/json", JSON.stringify({ ...head, object: "chat.completion", choices, usage })];
}

/** What a server of one's own says of itself. */
function answerAbout(path: string, response: ServerResponse): void {
  const about: Record<string, object> = {
    "/v1/models": { object: "list", data: [{ id: "local" }, { id: "qwen3" }, { id: "my-model" }] },
  };
  const found = about[path];
  send(response, found ? 200 : 404, "application/json", JSON.stringify(found ?? {}));
}

function send(response: ServerResponse, status: number, type: string, body: string | Uint8Array): void {
  response.writeHead(status, { "content-type": type }).end(body);
}
