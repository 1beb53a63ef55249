/** Converts a request to a REST API's Lambda proxy event, payload format 1.0. Pure. */

import type { Principal } from "../parts.ts";
import type { Match } from "./gateway-match.ts";

export interface EventParts {
  method: string;
  /** Without the stage, as it was sent: a REST API leaves it encoded. */
  path: string;
  query: string;
  /** Name and value by turns, as they were sent. */
  rawHeaders: readonly string[];
  body: Buffer;
  match: Match;
  principal: Principal | undefined;
  setting: { requestId: string; stage: string; domainName: string; apiId: string; accountId: string; now: number };
  sourceIp: string;
  binaryMediaTypes: readonly string[];
}

export function eventOf(parts: EventParts) {
  const { method, path, match, body, binaryMediaTypes } = parts;
  const headers = grouped(headerPairs(parts.rawHeaders));
  const query = grouped([...new URLSearchParams(parts.query)]);
  const hasBody = body.length > 0;
  const contentType = last(headers, "content-type");
  const isBase64Encoded = hasBody && isBinary(binaryMediaTypes, contentType);
  return {
    resource: match.route.resourcePath,
    path,
    httpMethod: method,
    headers: singles(headers),
    multiValueHeaders: headers,
    queryStringParameters: orNull(singles(query)),
    multiValueQueryStringParameters: orNull(query),
    pathParameters: match.parameters,
    stageVariables: null,
    requestContext: contextOf(parts, last(headers, "user-agent")),
    body: hasBody ? body.toString(isBase64Encoded ? "base64" : "utf8") : null,
    isBase64Encoded,
  };
}

/** A signature is for API Gateway alone. */
const KEPT_BACK = new Set(["authorization"]);

function headerPairs(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? "";
    if (!KEPT_BACK.has(name.toLowerCase())) pairs.push([name, raw[at + 1] ?? ""]);
  }
  return pairs;
}

function grouped(pairs: [string, string][]): Record<string, string[]> {
  const groups: Record<string, string[]> = {};
  for (const [name, value] of pairs) groups[name] = [...(groups[name] ?? []), value];
  return groups;
}

/** Where a name comes twice, its last value. */
const singles = (groups: Record<string, string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(groups).map(([name, values]) => [name, values.at(-1) ?? ""]));

const orNull = <T extends object>(values: T): T | null => (Object.keys(values).length > 0 ? values : null);

const last = (groups: Record<string, string[]>, wanted: string): string | undefined =>
  Object.entries(groups)
    .find(([name]) => name.toLowerCase() === wanted)?.[1]
    .at(-1);

/** Of a request by its content type, of an answer by what the request accepts first. */
export const isBinary = (binaryMediaTypes: readonly string[], type: string | undefined): boolean =>
  binaryMediaTypes.includes("*/*") || (type !== undefined && binaryMediaTypes.includes(bare(type)));

const bare = (type: string): string => (type.split(/[,;]/)[0] ?? "").trim().toLowerCase();

function contextOf({ method, path, match, principal, setting, sourceIp }: EventParts, userAgent: string | undefined) {
  const { requestId, stage, domainName, apiId, accountId, now } = setting;
  return {
    ...{ accountId, apiId, stage, domainName, requestId, extendedRequestId: requestId },
    domainPrefix: domainName.split(".")[0],
    resourcePath: match.route.resourcePath,
    httpMethod: method,
    path: `/${stage}${path}`,
    protocol: "HTTP/1.1",
    requestTimeEpoch: now,
    requestTime: new Date(now).toUTCString(),
    identity: {
      ...{ sourceIp, userAgent: userAgent ?? null },
      accountId: principal ? accountId : null,
      accessKey: principal?.credentials.accessKeyId ?? null,
      caller: principal?.name ?? null,
      user: principal?.name ?? null,
      userArn: principal?.arn ?? null,
      ...{ apiKey: null, principalOrgId: null, cognitoIdentityId: null, cognitoIdentityPoolId: null },
      ...{ cognitoAuthenticationType: null, cognitoAuthenticationProvider: null },
    },
  };
}
