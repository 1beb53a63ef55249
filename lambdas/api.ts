/** The API behind API Gateway: a REST proxy event becomes a request, and the answer what API Gateway wants. */
import { createApi } from "../lib/api/api.ts";
import { type ApiAnswer, type ApiRequest, bytesOf, headerReader } from "../lib/api/exchange.ts";
import type { ApiParts } from "../lib/api/parts.ts";

/** What is read of a REST API's Lambda proxy event. */
export interface ApiEvent {
  httpMethod: string;
  path: string;
  multiValueHeaders: Record<string, string[] | undefined> | null;
  multiValueQueryStringParameters: Record<string, string[] | undefined> | null;
  body: string | null;
  isBase64Encoded: boolean;
  requestContext: {
    requestId: string;
    stage: string;
    domainName?: string;
    identity: { userArn: string | null };
  };
}

export interface ApiResult {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  isBase64Encoded: boolean;
}

export interface ApiHandlerParts extends ApiParts {
  /** An admin's choice: every caller that IAM lets in sees the runs of all. */
  sharedRuns?: boolean;
}

export function createApiHandler({ sharedRuns = false, ...parts }: ApiHandlerParts) {
  const api = createApi(parts);
  return async (event: ApiEvent): Promise<ApiResult> => {
    const { requestId, stage, domainName = "localhost", identity } = event.requestContext;
    const baseUrl = `https://${domainName}/${stage}`;
    const caller = sharedRuns ? SHARED : ownerOf(identity.userArn);
    return resultOf(await api.answer(requestOf(event, baseUrl), { caller, requestId, baseUrl }));
  };
}

const SHARED = "shared";

/** A role's sessions come and go: its runs belong to the role. */
export function ownerOf(userArn: string | null): string {
  // Every route needs IAM: without a caller the stack is deployed wrongly.
  if (!userArn) throw new Error("API Gateway named no caller; every route must need IAM authorisation.");
  const [, partition, account, role] = /^arn:([^:]+):sts::(\d*):assumed-role\/(.+)\/[^/]+$/.exec(userArn) ?? [];
  return role === undefined ? userArn : `arn:${partition}:iam::${account}:role/${role}`;
}

const NEVER = new AbortController().signal;

function requestOf(event: ApiEvent, baseUrl: string): ApiRequest {
  const url = new URL(baseUrl);
  url.pathname = event.path;
  for (const [name, text] of pairsOf(event.multiValueQueryStringParameters)) url.searchParams.append(name, text);
  const { body, httpMethod: method } = event;
  const bytes = body === null ? [] : [event.isBase64Encoded ? decoded(body) : new TextEncoder().encode(body)];
  return { method, url: url.href, headers: headerReader(pairsOf(event.multiValueHeaders)), body: bytes, signal: NEVER };
}

const pairsOf = (values: Record<string, string[] | undefined> | null): [string, string][] =>
  Object.entries(values ?? {}).flatMap(([name, texts = []]) => texts.map((text): [string, string] => [name, text]));

const decoded = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/**
 * Our own JSON goes as text. All else goes in base64, which API Gateway turns back since all types are binary to it: a
 * file comes byte for byte, whatever its encoding.
 */
function resultOf(answer: ApiAnswer): ApiResult {
  const { status: statusCode, headers } = answer;
  const bytes = bytesOf(answer);
  const isText = bytes.length === 0 || /^application\/(problem\+)?json\b/.test(headers["content-type"] ?? "");
  const body = isText ? new TextDecoder().decode(bytes) : encoded(bytes);
  return { statusCode, headers, body, isBase64Encoded: !isText };
}

/** In pieces: no function takes a million arguments. */
function encoded(bytes: Uint8Array): string {
  let characters = "";
  for (let at = 0; at < bytes.length; at += PIECE) {
    characters += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  }
  return btoa(characters);
}
const PIECE = 8_192;
