/** One exchange with a model server: at most one request that is paid for. */
import OpenAI from "openai";
import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions";
import type { Endpoint } from "./endpoint.ts";
import { type StreamSettings, sendStreaming } from "./stream/streaming-send.ts";
import type { OutgoingRequest, Reply, Send, Silence } from "./wire.ts";

export interface Connection {
  endpoint: Endpoint;
  apiKey: string | undefined;
  send: Send;
}

export interface ExchangeLimits {
  timeoutMs: number;
  signal: AbortSignal | undefined;
  /** The body asks for a stream. */
  stream?: StreamSettings | undefined;
}

/**
 * The package builds the request and keeps the time. What comes back is read by us, because the servers that call
 * themselves compatible differ most in their refusals.
 */
export async function exchange(
  { endpoint, apiKey, send }: Connection,
  body: ChatCompletionCreateParamsNonStreaming,
  { timeoutMs, signal, stream }: ExchangeLimits,
): Promise<Reply | Silence> {
  let outcome: Reply | Silence | undefined;
  const client = new OpenAI({
    baseURL: endpoint.baseUrl,
    defaultQuery: endpoint.query,
    defaultHeaders: authorization(endpoint, apiKey),
    apiKey: apiKey ?? "none",
    // Else the package looks into the environment for them.
    organization: null,
    project: null,
    maxRetries: 0,
    logLevel: "off",
    timeout: Math.max(1, Math.ceil(timeoutMs)),
    fetch: async (url, init) => {
      const sending: OutgoingRequest = {
        url: String(url),
        method: "POST",
        headers: Object.fromEntries(new Headers(init?.headers ?? {})),
        body: String(init?.body ?? ""),
        signal: init?.signal ?? new AbortController().signal,
      };
      outcome = await (stream ? sendStreaming(send, sending, stream) : send(sending));
      return new Response("{}", { headers: { "content-type": "application/json" } });
    },
  });
  await client.chat.completions.create(body, signal ? { signal } : {}).catch((error: unknown) => {
    outcome ??= { silence: "aborted", code: error instanceof Error ? error.name : "", sent: false };
  });
  return outcome ?? { silence: "closed", code: "", sent: false };
}

function authorization({ azure }: Endpoint, apiKey: string | undefined): Record<string, string | null> {
  if (apiKey === undefined) return { Authorization: null };
  return azure ? { "api-key": apiKey } : {};
}
