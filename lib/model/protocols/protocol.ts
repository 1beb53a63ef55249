/** A model behind a provider's own protocol: one exchange, in the one form that the provider documents. */
import { ModelError, UserError } from "../../core/errors.ts";
import type { ChatMessage, Model, ModelAnswer, ModelRequest } from "../../core/ports.ts";
import type { Json } from "../../core/text/json.ts";
import type { ModelProfile } from "../../core/turn/model-profile.ts";
import { guessedUsage } from "../answer.ts";
import type { SignedAccess } from "../bedrock/signed-send.ts";
import { httpUrl } from "../endpoint.ts";
import { parseErrorBody } from "../error-body.ts";
import type { ExchangeLimits } from "../exchange.ts";
import { sendWithLongTimeout } from "../long-timeout-fetch.ts";
import { isObject, type JsonObject, parseObject } from "../loose-json.ts";
import { createRedact } from "../redact.ts";
import { brokenAnswer, errorOfReply, errorOfSilence, type Server } from "../refusal.ts";
import { learnedDialect, refusedOption } from "../request-dialect.ts";
import type { StartAssembly } from "../stream/assembly.ts";
import { IDLE_MS, sendStreaming } from "../stream/streaming-send.ts";
import { createFetchSend, type Reply, type Send } from "../wire.ts";

/** What an answer says, as far as the protocol says it. */
export interface ProtocolAnswer extends Pick<ModelAnswer, "text" | "toolCalls" | "finish"> {
  /** Absent: the server did not count. */
  usage: ModelAnswer["usage"] | undefined;
  model: string;
  id: string;
  /** What the provider wants back in the next request, unread; mostly encrypted thoughts. */
  items: Json[];
}

export interface Protocol {
  /** Below the base URL. */
  path: string;
  headers(apiKey: string): Record<string, string>;
  bodyOf(request: ModelRequest, profile: ModelProfile): JsonObject;
  /** Absent: a field of the body asks for a stream. */
  streamPath?: string;
  startAssembly: StartAssembly;
  /** Undefined if it is no answer; `error` if the provider put a refusal into a 200. */
  read(body: JsonObject): ProtocolAnswer | { error: JsonObject } | undefined;
  baseUrl: string;
  /** The environment variable that has the key. */
  keyName: string;
}

export interface ProtocolAccess {
  profile: ModelProfile;
  apiKey?: string;
  baseUrl?: string;
  fetch?: typeof globalThis.fetch;
  /** Signs what it sends: there is no key. */
  signed?: SignedAccess;
  now?: () => number;
}

export function createProtocolModel(protocol: Protocol, access: ProtocolAccess): Model {
  const { profile, now = Date.now } = access;
  const apiKey = access.signed ? "" : validKey(access.apiKey, protocol.keyName);
  const baseUrl = access.baseUrl ?? protocol.baseUrl;
  const host = httpUrl(baseUrl)?.host;
  if (host === undefined) throw new UserError("The base URL is not an http or https address.", { exitCode: 3 });
  const send = access.signed?.send ?? (access.fetch ? createFetchSend(access.fetch) : sendWithLongTimeout);
  const { keyName } = protocol;
  const server: Server = {
    host,
    model: profile.model,
    hasKey: true,
    keyName,
    redact: createRedact(apiKey),
    ...access.signed?.server,
  };
  const headers = { "content-type": "application/json", ...protocol.headers(apiKey) };
  const refused = new Set(OPTIONS.filter((option) => profile.dialect?.[option] === false));
  return {
    async ask(request, signal, onProgress) {
      signal?.throwIfAborted();
      const startedAt = now();
      for (;;) {
        const { startAssembly, path, streamPath } = protocol;
        const isStreamed = request.stream !== false;
        const fields = protocol.bodyOf(without(request, refused), profile);
        const body = JSON.stringify(isStreamed && !streamPath ? { ...fields, stream: true } : fields);
        const events = access.signed?.events;
        const stream = isStreamed ? { startAssembly, idleMs: IDLE_MS, onProgress, events } : undefined;
        const url = `${baseUrl}${isStreamed ? (streamPath ?? path) : path}`;
        const posted = { url, method: "POST", headers, body };
        const timeoutMs = request.timeoutMs - (now() - startedAt);
        const reply = withErrorStatus(await replyTo({ send, posted, server, limits: { timeoutMs, signal, stream } }));
        const option = refusedOption(reply);
        if (isAnswer(reply)) {
          const learned = learnedDialect(profile, Object.fromEntries([...refused].map((option) => [option, false])));
          return { ...answerIn(protocol, reply, { body, server }), ...learned, milliseconds: now() - startedAt };
        }
        if (!option || refused.has(option)) throw errorOfReply(reply, server, now());
        refused.add(option);
      }
    },
  };
}

type Option = NonNullable<ReturnType<typeof refusedOption>>;
const OPTIONS: readonly Option[] = ["effort", "temperature"];

const without = (request: ModelRequest, options: Set<Option>): ModelRequest => {
  const { effort, temperature, ...needed } = request;
  return {
    ...needed,
    ...(effort === undefined || options.has("effort") ? {} : { effort }),
    ...(temperature === undefined || options.has("temperature") ? {} : { temperature }),
  };
};

/** What a provider refuses after it has begun to answer has no status of its own: the one that it documents. */
function withErrorStatus(reply: Reply): Reply {
  const error = isAnswer(reply) ? parseObject(reply.text)?.error : undefined;
  if (!isObject(error)) return reply;
  const status = STATUSES.get(error.code) ?? STATUSES.get(error.type) ?? STATUSES.get(error.__type);
  if (status === undefined) return reply;
  // A stream that had brought nothing is not charged; an answer that came whole may have been worked on.
  const isStream = /event-?stream/.test(reply.headers["content-type"] ?? "");
  return { ...reply, status, ...(isStream ? {} : { received: reply.received ?? "" }) };
}

/**
 * https://docs.anthropic.com/en/api/errors, https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
 * and https://platform.openai.com/docs/api-reference/responses/object
 */
const STATUSES = new Map<unknown, number>([
  ["invalid_request_error", 400],
  ["invalid_prompt", 400],
  ["authentication_error", 401],
  ["billing_error", 402],
  ["permission_error", 403],
  ["not_found_error", 404],
  ["request_too_large", 413],
  ["rate_limit_error", 429],
  ["rate_limit_exceeded", 429],
  ["insufficient_quota", 429],
  ["api_error", 500],
  ["server_error", 500],
  ["timeout_error", 504],
  ["overloaded_error", 529],
  ["validationException", 400],
  ["modelStreamErrorException", 424],
  ["throttlingException", 429],
  ["internalServerException", 500],
  ["serviceUnavailableException", 503],
]);

const isAnswer = ({ status }: Reply): boolean => status >= 200 && status <= 299;

interface Call {
  send: Send;
  posted: Omit<Parameters<Send>[0], "signal">;
  server: Server;
  limits: ExchangeLimits;
}

/** An abort rejects with the reason of its signal. */
async function replyTo({ send, posted, server, limits: { timeoutMs, signal, stream } }: Call): Promise<Reply> {
  const late = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
  const sending = { ...posted, signal: signal ? AbortSignal.any([signal, late]) : late };
  const outcome = await (stream ? sendStreaming(send, sending, stream) : send(sending));
  signal?.throwIfAborted();
  if ("silence" in outcome) throw errorOfSilence(outcome, server, timeoutMs);
  return outcome;
}

function answerIn(
  protocol: Protocol,
  reply: Reply,
  { body, server }: { body: string; server: Server },
): Omit<ModelAnswer, "milliseconds"> {
  const whole = parseObject(reply.text);
  const read = whole && readShallow(protocol, whole);
  if (!read) throw brokenAnswer(server.redact(reply.text) || "it is empty", server);
  if ("error" in read) {
    const { message } = parseErrorBody(JSON.stringify(read));
    throw brokenAnswer(server.redact(message), server, reply.received);
  }
  const { usage, model, id, items, ...answer } = read;
  return {
    ...answer,
    ...(items.length > 0 ? { continuation: { model: server.model, items } } : {}),
    ...(usage ? { usage } : { usage: guessedUsage(bytesOf(body), bytesOf(reply.text)), usageEstimated: true }),
    model: model || server.model,
    requestId: REQUEST_ID_HEADERS.map((name) => reply.headers[name]).find(Boolean) ?? id,
  };
}

const REQUEST_ID_HEADERS = ["x-request-id", "request-id", "x-amzn-requestid"];

/** What is nested too deeply to be stored is no answer. */
function readShallow(protocol: Protocol, body: JsonObject): ReturnType<Protocol["read"]> {
  try {
    return protocol.read(body);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** What an earlier answer of the same model left to be sent back: another cannot read it. */
export function itemsOf(message: ChatMessage, { model }: ModelProfile): Json[] {
  const continuation = message.role === "assistant" ? message.continuation : undefined;
  return continuation?.model === model ? continuation.items : [];
}

/** The name that the provider knows: without the prefix that chose the protocol. */
export const providerName = ({ model }: ModelProfile): string => model.slice(model.indexOf("/") + 1);

function validKey(given: string | undefined, keyName: string): string {
  const key = given?.trim() ?? "";
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  const message = key === "" ? "No API key is set" : "The API key has characters that no key has";
  throw new ModelError(`${message}. Check ${keyName}.`, { kind: "credentials", perhapsPaid: false });
}
