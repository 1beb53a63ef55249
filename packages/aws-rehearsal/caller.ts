/** A caller of the API with its own credentials, which signs requests as the AWS tools do. */
import { createHash, createHmac } from "node:crypto";
import { SignatureV4 } from "@smithy/signature-v4";
import type { Principal } from "./parts.ts";

export interface Caller {
  name: string;
  ask(method: string, path: string, asked?: ApiRequest): Promise<ApiAnswer>;
}

export interface ApiRequest {
  body?: unknown;
  headers?: Record<string, string>;
}

export interface ApiAnswer {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
  /** Of a JSON answer; undefined otherwise. */
  json: Record<string, unknown> | undefined;
}

export interface CallerParts {
  principal: Principal;
  region: string;
  /** Of the API, with its stage, without a slash at the end. */
  url: string;
}

export function createCaller({ principal, region, url }: CallerParts): Caller {
  const signer = new SignatureV4({
    service: "execute-api",
    region,
    credentials: principal.credentials,
    sha256: Sha256,
  });
  return {
    name: principal.name,
    async ask(method, path, { body, headers = {} } = {}) {
      const target = new URL(`${url}${path}`);
      const content = body === undefined ? undefined : JSON.stringify(body);
      const signed = await signer.sign({
        method,
        protocol: target.protocol,
        hostname: target.hostname,
        port: Number(target.port),
        path: target.pathname,
        query: queryOf(target),
        headers: { host: target.host, ...(content ? { "content-type": "application/json" } : {}), ...headers },
        ...(content ? { body: content } : {}),
      });
      const { host: _set, ...sent } = signed.headers;
      const response = await fetch(target, {
        method,
        headers: sent,
        redirect: "manual",
        ...(content ? { body: content } : {}),
      });
      return answeredBy(response);
    },
  };
}

function queryOf(url: URL): Record<string, string[]> {
  const query: Record<string, string[]> = {};
  for (const name of new Set(url.searchParams.keys())) query[name] = url.searchParams.getAll(name);
  return query;
}

async function answeredBy(response: Response): Promise<ApiAnswer> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isJson = bytes.length > 0 && /json/.test(response.headers.get("content-type") ?? "");
  const json = isJson ? JSON.parse(new TextDecoder().decode(bytes)) : undefined;
  return { status: response.status, headers: response.headers, bytes, json };
}

/** What the signer asks of a hash, from Node's own. */
class Sha256 {
  readonly #hash;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash("sha256") : createHmac("sha256", bytesOf(secret));
  }
  update(chunk: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(chunk));
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

const bytesOf = (data: string | ArrayBuffer | ArrayBufferView): string | Uint8Array => {
  if (typeof data === "string") return data;
  return data instanceof ArrayBuffer
    ? new Uint8Array(data)
    : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
};
