/** An OpenAI-compatible server on a real socket whose model is a script. Speaks as OpenAI does, or as llama.cpp does. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { chatStream, streamReply } from "./provider-streams.ts";
import {
  type Completion,
  completionOf,
  type ScriptedAnswer,
  type ScriptedMessage,
  type ScriptedRequest,
} from "./scripted-completion.ts";
import type { Fault } from "./scripted-faults.ts";
import { reply } from "./scripted-faults.ts";

export type { ScriptedAnswer, ScriptedRequest };

export interface ScriptedServerOptions {
  answer: (request: ScriptedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;
  /** By number of the request, from 1. A held answer comes in the end; the others take the place of the script's. */
  faults?: Record<number, Fault>;
  /** Looked at before the script is asked: a refusal, or undefined. */
  refuse?: (request: ScriptedRequest) => Fault | undefined;
  dialect?: "openai" | "llama.cpp";
  /** Required in every request; a wrong one is echoed, as servers do. */
  apiKey?: string;
  /** What the llama.cpp dialect says of its window. */
  contextWindow?: number;
  model?: string;
}

export interface ScriptedServer {
  /** Ends in /v1. */
  url: string;
  requests: ScriptedRequest[];
  close(): Promise<void>;
}

export async function startScriptedServer(options: ScriptedServerOptions): Promise<ScriptedServer> {
  const requests: ScriptedRequest[] = [];
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => send(response, reply(500, `the script failed: ${error}`)));
  });

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(incoming.url ?? "/", "http://127.0.0.1").pathname;
    const body = await bodyOf(incoming);
    if (incoming.method === "GET") return send(response, aboutServer(path, options));
    if (path !== "/v1/chat/completions") return send(response, reply(404, { error: { message: "Not Found" } }));
    const request = requestOf(requests.length + 1, body, incoming);
    requests.push(request);
    const fault = options.faults?.[request.number];
    if (fault?.do === "hold") await fault.until;
    else if (fault && fault.do !== "change") return send(response, fault);
    const refused = refusalOf(request, options) ?? options.refuse?.(request);
    if (refused) return send(response, refused);
    const completion = completionOf(request, await options.answer(request));
    if (fault?.do === "change") return send(response, reply(200, fault.change(completion), REQUEST_ID));
    send(response, body.stream === true ? streamed(completion) : reply(200, completion, REQUEST_ID));
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const REQUEST_ID = { "x-request-id": "req_scripted" };

/** As servers do that are asked for a stream. */
function streamed({ id, model, choices: [choice], usage }: Completion): Fault {
  const { content, tool_calls: calls = [] } = choice?.message ?? { content: "" };
  const head = { id, model };
  const end = { finish_reason: choice?.finish_reason, usage };
  const { headers, body } = streamReply(chatStream({ content: content ?? "", tool_calls: calls }, end, head));
  return reply(200, body, { ...headers, ...REQUEST_ID });
}

/** What the dialect's server itself does not take, whatever the script would say. */
function refusalOf(request: ScriptedRequest, { apiKey, dialect }: ScriptedServerOptions): Fault | undefined {
  const given = request.headers.authorization ?? "";
  if (apiKey !== undefined && given !== `Bearer ${apiKey}`) {
    const message = `Incorrect API key provided: ${given.replace("Bearer ", "")}. You can find your API key online.`;
    return reply(401, { error: { message, type: "invalid_request_error", code: "invalid_api_key" } });
  }
  return dialect === "llama.cpp" ? refusalOfLlama(request) : undefined;
}

/** As llama-server answers without --jinja, and as strict chat templates do. */
function refusalOfLlama({ body, messages }: ScriptedRequest): Fault | undefined {
  const error = (message: string): Fault => reply(500, { error: { code: 500, message, type: "server_error" } });
  if (body.tools !== undefined) return error("tools param requires --jinja flag");
  const roles = messages.map(({ role }) => role).slice(messages[0]?.role === "system" ? 1 : 0);
  const alternate = roles.every((role, index) => role === (index % 2 === 0 ? "user" : "assistant"));
  return alternate ? undefined : error("Conversation roles must alternate user/assistant/user/assistant/...");
}

function aboutServer(
  path: string,
  { dialect, model = "scripted", contextWindow = 8_192 }: ScriptedServerOptions,
): Fault {
  const llama = dialect === "llama.cpp";
  if (path === "/v1/models")
    return reply(200, {
      object: "list",
      data: [{ id: model, object: "model", owned_by: llama ? "llamacpp" : "openai" }],
    });
  if (llama && path === "/health") return reply(200, { status: "ok" });
  if (llama && path === "/props")
    return reply(200, { default_generation_settings: { n_ctx: contextWindow }, total_slots: 1, chat_template: "" });
  return reply(404, { error: { message: "Not Found" } });
}

async function bodyOf(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of incoming.setEncoding("utf8")) text += chunk;
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}

interface WireBody {
  model?: string;
  messages?: ScriptedMessage[];
  tools?: { function: ScriptedRequest["tools"][number] }[];
  response_format?: { type: string };
  max_tokens?: number;
  max_completion_tokens?: number;
}

function requestOf(number: number, body: Record<string, unknown>, { headers }: IncomingMessage): ScriptedRequest {
  const { model, messages, tools, response_format, max_tokens, max_completion_tokens }: WireBody = body;
  const maxTokens = max_completion_tokens ?? max_tokens;
  return {
    number,
    model: model ?? "",
    messages: messages ?? [],
    tools: (tools ?? []).map((tool) => tool.function),
    ...(response_format ? { responseFormat: response_format } : {}),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    body,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  };
}

function send(response: ServerResponse, fault: Fault): void {
  if (fault.do === "close") {
    if (fault.when === "before") return void response.destroy();
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    return void response.write('{"id":"chatcmpl-', () => response.destroy());
  }
  if (fault.do !== "reply") return;
  const text = typeof fault.body === "string" ? fault.body : JSON.stringify(fault.body);
  response.writeHead(fault.status, { "content-type": "application/json", ...fault.headers });
  response.end(text);
}
