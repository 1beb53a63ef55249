/** A request as the API reads it, and what it answers: whatever brings the one makes of the other what it needs. */

export interface HeaderReader {
  get(name: string): string | null;
}

/** One of the web fits. */
export interface ApiRequest {
  method: string;
  /** Whole. */
  url: string;
  headers: HeaderReader;
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | null;
  signal: AbortSignal;
}

export interface ApiAnswer {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array | string | null;
}

/** Nothing of the web is loaded where no answer goes there: that takes a fifth of a short command. */
export const responseOf = ({ status, headers, body }: ApiAnswer): Response =>
  new Response(typeof body === "string" ? body : (body?.slice() ?? null), { status, headers });

export const bytesOf = ({ body }: Pick<ApiAnswer, "body">): Uint8Array =>
  typeof body === "string" ? new TextEncoder().encode(body) : (body ?? new Uint8Array());

export function headerReader(pairs: Iterable<[name: string, value: string]>): HeaderReader {
  const values = new Map<string, string>();
  for (const [name, value] of pairs) {
    const before = values.get(name.toLowerCase());
    values.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
  }
  return { get: (name) => values.get(name.toLowerCase()) ?? null };
}
