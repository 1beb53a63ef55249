/** Questions to a server that is probed: without an answer in time, or of another form, nothing is known. */
import { httpUrl } from "../endpoint.ts";
import { createFetchSend, type Reply } from "../wire.ts";

export interface ProbeOptions {
  model: string;
  fetch?: typeof globalThis.fetch;
  /** For each question; they are asked together. */
  timeoutMs?: number;
  /** While a server loads its model it is asked again, this often and for so long. */
  loading?: { everyMs: number; mostMs: number };
  apiKey?: string;
}

/** A server on this computer that takes longer is busy, and may be asked by its answers instead. */
const TIMEOUT_MS = 2_000;
/** Model lists and licences are long, but not longer. */
const REPLY_BYTES = 4 * 1024 * 1024;

/** Reading a large model from a slow disk takes minutes. */
export const LOADING = { everyMs: 1_000, mostMs: 120_000 };

export interface ProbeReply {
  reached: boolean;
  isLoading: boolean;
  body: unknown;
}
export interface Ask {
  (path: string, question?: object, waitMs?: number): Promise<ProbeReply>;
  /** Below the base URL, not at the server's root. */
  api(path: string): Promise<ProbeReply>;
}

export function createAsk(
  baseUrl: string,
  { fetch = globalThis.fetch, timeoutMs = TIMEOUT_MS, apiKey }: ProbeOptions,
): Ask | undefined {
  const url = httpUrl(baseUrl);
  if (!url) return undefined;
  const send = createFetchSend(fetch, REPLY_BYTES);
  const base = `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, "")}`;
  const root = base.replace(/\/v1$/, "");
  const at = async (address: string, question?: object, waitMs = timeoutMs): Promise<ProbeReply> => {
    const reply = await send({
      url: address,
      method: question ? "POST" : "GET",
      headers: { "content-type": "application/json", ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
      body: question ? JSON.stringify(question) : "",
      signal: AbortSignal.timeout(waitMs),
    });
    return "silence" in reply ? UNREACHED : replyOf(reply);
  };
  return Object.assign((path: string, question?: object, waitMs?: number) => at(`${root}${path}`, question, waitMs), {
    api: (path: string) => at(`${base === root ? `${base}/v1` : base}${path}`),
  });
}

const UNREACHED: ProbeReply = { reached: false, isLoading: false, body: undefined };

const replyOf = ({ status, text }: Reply): ProbeReply => ({
  reached: true,
  isLoading: status === 503 && /loading model/i.test(text),
  body: parsed(text),
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
