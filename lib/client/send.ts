/** One exchange with a server: bounded in time and size, never redirected, and without an answer where none came. */
import { type ApiAnswer, type ApiRequest, bytesOf, type HeaderReader, headerReader } from "../api/exchange.ts";
import { createBody } from "../core/bytes.ts";

export interface ServerRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: string | Uint8Array | undefined;
  milliseconds: number;
  /** More than this is not read. */
  bytesAtMost: number;
  signal?: AbortSignal | undefined;
}

export interface Answer {
  status: number;
  headers: HeaderReader;
  bytes: Uint8Array;
}

/** Whether the server got the request is not known of what is `lost`. */
export type Sent = Answer | { lost: string } | { tooLarge: number };

export type Send = (sending: ServerRequest) => Promise<Sent>;

/** Over HTTP. */
export const send: Send = async (sending) => {
  const { method, url, headers, body, milliseconds, bytesAtMost } = sending;
  const signals = [AbortSignal.timeout(milliseconds), ...(sending.signal ? [sending.signal] : [])];
  try {
    const signal = AbortSignal.any(signals);
    const sent = { method, headers, signal, redirect: "manual", ...(body === undefined ? {} : { body }) } as const;
    const response = await fetch(url, sent as RequestInit);
    const bytes = await readAtMost(response, bytesAtMost);
    return bytes ? { status: response.status, headers: response.headers, bytes } : { tooLarge: bytesAtMost };
  } catch (error) {
    return { lost: whyLost(error) };
  }
};

const NEVER = new AbortController().signal;

/** In this process: no socket, and no limits of time and size. */
export async function askApi<Context>(
  api: { answer(request: ApiRequest, context: Context): Promise<ApiAnswer> },
  { method, url, headers: sent, body, signal = NEVER }: Omit<ServerRequest, "milliseconds" | "bytesAtMost">,
  context: Context,
): Promise<Answer> {
  const bytes = body === undefined ? null : [typeof body === "string" ? new TextEncoder().encode(body) : body];
  const headers = headerReader(Object.entries(sent));
  const answer = await api.answer({ method, url: url.href, headers, body: bytes, signal }, context);
  return { status: answer.status, headers: headerReader(Object.entries(answer.headers)), bytes: bytesOf(answer) };
}

async function readAtMost(response: Response, bytesAtMost: number): Promise<Uint8Array | undefined> {
  const body = createBody(bytesAtMost);
  // Leaving the loop closes the connection.
  for await (const chunk of response.body ?? []) if (!body.add(chunk)) return undefined;
  return body.bytes();
}

const WORDS: Record<string, string> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "its name is not known",
  EAI_AGAIN: "names cannot be looked up",
  ECONNRESET: "the connection was closed",
  UND_ERR_SOCKET: "the connection was closed",
  ETIMEDOUT: "it takes too long",
  UND_ERR_CONNECT_TIMEOUT: "it takes too long",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is its own",
};

function whyLost(error: unknown): string {
  if (!(error instanceof Error)) return "it cannot be reached";
  if (error.name === "TimeoutError") return "it takes too long";
  const { cause } = error;
  if (cause instanceof Error && cause.message === "bad port") return "its port is that of another protocol";
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return WORDS[code] ?? (code || "the connection failed");
}
