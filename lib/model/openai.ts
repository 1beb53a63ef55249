/** The model behind any OpenAI-compatible server: one exchange, in the dialect that the server accepts. */
import { ModelError, UserError } from "../core/errors.ts";
import type { Model, ModelAnswer, ModelRequest } from "../core/ports.ts";
import type { ModelProfile } from "../core/turn/model-profile.ts";
import { guessedUsage, type ReadAnswer, readAnswer } from "./answer.ts";
import type { SignedAccess } from "./bedrock/signed-send.ts";
import { type Endpoint, endpointOf, OPENAI_BASE_URL } from "./endpoint.ts";
import { parseErrorBody } from "./error-body.ts";
import { type Connection, type ExchangeLimits, exchange } from "./exchange.ts";
import { sendWithLongTimeout } from "./long-timeout-fetch.ts";
import { isObject, parseObject } from "./loose-json.ts";
import { createRedact } from "./redact.ts";
import { brokenAnswer, errorOfReply, errorOfSilence, kindOf, type Server } from "./refusal.ts";
import { bodyOf, isStreamed, type RequestBody } from "./request-body.ts";
import { type Dialect, type DialectFix, dialectFix, dialectOf, learnedDialect } from "./request-dialect.ts";
import { assembleChat } from "./stream/chat-stream.ts";
import { IDLE_MS } from "./stream/streaming-send.ts";
import { createFetchSend, type Reply } from "./wire.ts";

export interface OpenAiModel {
  profile: ModelProfile;
  baseUrl?: string;
  /** Absent: the server requires none. */
  apiKey?: string;
  /** The environment variable that has the key, where it is not OpenAI's. */
  keyName?: string;
  /** Azure's. */
  apiVersion?: string;
  fetch?: typeof globalThis.fetch;
  /** Signs what it sends: there is no key. */
  signed?: SignedAccess;
  /** Extended with what refusals teach, for the next adapter of the same server and model. */
  dialectFixes?: DialectFix;
  now?: () => number;
}

/** Each refusal fixes one thing; a server that refuses more often will not accept the request. */
const MAX_FIXES = 12;

/** After so many native calls that the server could not read, calls are asked for as JSON. */
const UNREADABLE_ANSWERS = 2;

export function createOpenAiModel(asked: OpenAiModel): Model {
  const { profile, dialectFixes = {}, now = Date.now } = asked;
  const endpoint = validEndpoint(asked);
  const apiKey = validKey(asked.apiKey, asked.keyName);
  const send = asked.signed?.send ?? (asked.fetch ? createFetchSend(asked.fetch) : sendWithLongTimeout);
  const connection = { endpoint, apiKey, send };
  const server: Server = {
    host: endpoint.host,
    model: profile.model,
    hasKey: apiKey !== undefined,
    redact: createRedact(apiKey),
    ...(asked.keyName ? { keyName: asked.keyName } : {}),
    ...(asked.signed ? { keyName: "AWS_REGION", ...asked.signed.server } : {}),
  };
  let unreadable = 0;
  return {
    async ask(request, signal, onProgress) {
      const startedAt = now();
      for (let fixes = 0; ; fixes++) {
        const dialect = dialectOf(profile, dialectFixes);
        const body = bodyOf(profile.model, request, dialect);
        const timeoutMs = request.timeoutMs - (now() - startedAt);
        const stream = isStreamed(request, dialect)
          ? { startAssembly: assembleChat, idleMs: IDLE_MS, onProgress }
          : undefined;
        const reply = unwrapped(await replyTo({ connection, body, server, limits: { timeoutMs, signal, stream } }));
        const answer = answerIn(reply, { request, dialect, body, server });
        if (answer && reply.status === 500 && dialect.convention === "native" && ++unreadable >= UNREADABLE_ANSWERS) {
          dialectFixes.convention = "schema";
        }
        if (answer) {
          return { ...answer, ...learnedDialect(profile, dialectFixes), milliseconds: now() - startedAt };
        }
        const fix = fixes < MAX_FIXES ? fixIn(reply, dialect) : undefined;
        if (!fix) throw errorOfReply(reply, server, now());
        Object.assign(dialectFixes, fix);
      }
    },
  };
}

interface Call {
  connection: Connection;
  body: RequestBody;
  server: Server;
  limits: ExchangeLimits;
}

/** An abort rejects with the reason of its signal. */
async function replyTo({ connection, body, server, limits }: Call): Promise<Reply> {
  const outcome = await exchange(connection, body, limits);
  limits.signal?.throwIfAborted();
  if ("silence" in outcome) throw errorOfSilence(outcome, server, limits.timeoutMs);
  return outcome;
}

type Answer = Omit<ModelAnswer, "milliseconds">;

/** Undefined if the reply is a refusal. */
function answerIn(
  reply: Reply,
  { request, dialect, body, server }: { request: ModelRequest; dialect: Dialect; body: RequestBody; server: Server },
): Answer | undefined {
  if (reply.status < 200 || reply.status > 299) return rejectedGeneration(reply, body, server);
  const { tools, messages } = request;
  const read = readAnswer(reply.text, { convention: dialect.convention, tools, messages: messages.length });
  if (!read) throw brokenAnswer(server.redact(reply.text) || "it is empty", server);
  if ("error" in read) throw brokenAnswer(server.redact(parseErrorBody(reply.text).message), server, reply.received);
  return {
    text: read.text,
    toolCalls: read.toolCalls,
    finish: read.finish,
    ...usageIn(read, body),
    model: read.model || server.model,
    requestId: requestIdOf(reply) || read.id,
  };
}

function usageIn({ usage, text, toolCalls }: ReadAnswer, body: RequestBody): Pick<Answer, "usage" | "usageEstimated"> {
  if (usage) return { usage };
  return { usage: guessedUsage(bytesOf(body), bytesOf([text, toolCalls])), usageEstimated: true };
}

/** Some servers take a call they cannot read for an error. It was written, and paid for: the model must hear of it. */
function rejectedGeneration(reply: Reply, body: RequestBody, server: Server): Answer | undefined {
  const text = unreadableGeneration(reply);
  if (text === undefined) return undefined;
  return {
    text,
    toolCalls: [],
    finish: "other",
    usage: guessedUsage(bytesOf(body), bytesOf(text)),
    usageEstimated: true,
    model: server.model,
    requestId: requestIdOf(reply),
  };
}

/** Groq says what the model wrote, llama.cpp only that it could not be read. */
function unreadableGeneration(reply: Reply): string | undefined {
  const { failedGeneration, message, words } = parseErrorBody(reply.text);
  if (reply.status === 400) return failedGeneration;
  return reply.status === 500 && UNREADABLE.test(words) ? `(no readable call: ${message})` : undefined;
}

const UNREADABLE = /output that does not match the expected .{1,40} format|type_error\.316/;

/** Some gateways, and all streams that have begun, answer 200 and put the refusal, with its status, inside. */
function unwrapped(reply: Reply): Reply {
  if (reply.status < 200 || reply.status > 299) return reply;
  const whole = parseObject(reply.text);
  const isAnswer = Array.isArray(whole?.choices) && whole.choices.length > 0;
  const error = isObject(whole?.error) && !isAnswer ? whole.error : {};
  const { code: status } = error;
  if (typeof status !== "number" || status < 400 || status > 599) return reply;
  return { ...reply, status, text: JSON.stringify({ error }) };
}

const fixIn = (reply: Reply, dialect: Dialect): DialectFix | undefined =>
  kindOf(reply.status, parseErrorBody(reply.text)) === "context_exceeded" ? undefined : dialectFix(reply, dialect);

const REQUEST_ID_HEADERS = ["x-request-id", "apim-request-id", "x-amzn-requestid", "request-id"];
const requestIdOf = ({ headers }: Reply): string =>
  REQUEST_ID_HEADERS.map((name) => headers[name])
    .find((id) => id !== undefined)
    ?.slice(0, 200) ?? "";

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

function validEndpoint({ profile, baseUrl, apiVersion }: OpenAiModel): Endpoint {
  const endpoint = endpointOf({
    model: profile.model,
    ...(baseUrl ? { baseUrl } : {}),
    ...(apiVersion ? { apiVersion } : {}),
  });
  if (endpoint) return endpoint;
  throw new UserError("The base URL of the model server is not an http or https address.", {
    exitCode: 3,
    remedy: `Set OPENAI_BASE_URL or --base-url to one like ${OPENAI_BASE_URL}`,
  });
}

/** Keys are read from files and forms: what came along with them must not end up in a header, or in its error. */
function validKey(given: string | undefined, keyName = "OPENAI_API_KEY"): string | undefined {
  const key = given?.trim();
  if (!key) return undefined;
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ModelError(`The API key has characters that no key has. Check ${keyName}.`, {
    kind: "credentials",
    perhapsPaid: false,
  });
}
