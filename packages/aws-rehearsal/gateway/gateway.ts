/** API Gateway: serves the template's REST API on a loopback port. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../../../lib/core/ports.ts";
import { systemClock } from "../../../lib/host/system-clock.ts";
import type { PlayedIam } from "../iam/iam.ts";
import type { Deployment, Functions, Hop, Principal, WireAnswer, WireRequest } from "../parts.ts";
import type { Certificate } from "../proxy/certificate.ts";
import { readBody } from "../proxy/read-body.ts";
import { serveBoth } from "../proxy/two-protocols.ts";
import { ServiceError } from "../service-error.ts";
import { answerOf } from "./gateway-answer.ts";
import { declaredGateway, type GatewayDeclaration, type Route } from "./gateway-declaration.ts";
import { eventOf } from "./gateway-event.ts";
import { type Match, matchRoute } from "./gateway-match.ts";
import * as refusals from "./gateway-refusal.ts";
import { type Refusal, refuse } from "./gateway-refusal.ts";
import { createTokenBucket, type TokenBucket } from "./token-bucket.ts";

export interface GatewayParts {
  deployed: Deployment;
  functions: Functions;
  iam: Pick<PlayedIam, "authorise" | "admit">;
  /** The signer, or why the signature is invalid. */
  verify: (request: WireRequest) => { principal: Principal } | { status: number; code: string; message: string };
  hop?: (hop: Hop) => void;
  clock?: Clock;
  certificate?: Certificate;
}

export interface Gateway {
  /** With the stage, without a slash at the end. */
  url: string;
  /** The same over TLS: the links in the answers begin so, as the function believes in no other. */
  secureUrl: string;
  /** PEM, of `secureUrl`. */
  certificate: string;
  stop(): Promise<void>;
}

/** More does API Gateway not take. */
const BODY_BYTES = 10 * 1024 * 1024;

export async function startGateway(parts: GatewayParts): Promise<Gateway> {
  const { clock = systemClock, deployed, hop } = parts;
  const declaration = declaredGateway(deployed);
  const bucket = createTokenBucket(declaration.throttle, clock.now);
  let domainName = "";

  async function answer(request: IncomingMessage): Promise<WireAnswer> {
    const requestId = randomUUID();
    const call = { ...parts, clock, declaration, bucket, request, requestId, domainName };
    const said = await respond(call);
    return "type" in said ? refuse(declaration.responses, said, requestId) : said;
  }

  const served = await serveBoth(async (request, response) => {
    const said = await answer(request).catch(broken);
    hop?.({ from: "caller", to: "API Gateway", what: `${request.method} ${request.url}`, answer: String(said.status) });
    send(response, said);
  }, parts.certificate);
  domainName = `127.0.0.1:${served.port}`;
  const at = `${domainName}/${declaration.stage}`;
  const { certificate, stop } = served;
  return { url: `http://${at}`, secureUrl: `https://${at}`, certificate: certificate.cert, stop };
}

interface GatewayCall extends GatewayParts {
  clock: Clock;
  declaration: GatewayDeclaration;
  bucket: TokenBucket;
  request: IncomingMessage;
  requestId: string;
  domainName: string;
}

async function respond(call: GatewayCall): Promise<WireAnswer | Refusal> {
  const { declaration, request, bucket } = call;
  const { method = "", url = "" } = request;
  const { path, query, inStage } = parted(url, declaration.stage);
  const match = inStage ? matchRoute(declaration.routes, method, path) : undefined;
  const body = await readBody(request, BODY_BYTES);
  if (!match) return refusals.missingToken;
  if (!bucket.take()) return refusals.throttled;
  if (!body) return refusals.tooLarge;
  const caller = callerOf(call, { match, path, wire: { method, target: url, headers: headersOf(request), body } });
  if (caller && "type" in caller) return caller;
  return integrate(call, { match, path, query, body, principal: caller });
}

/** The stage is the first segment of the path. */
function parted(target: string, stage: string) {
  const [whole = "", ...rest] = target.split("?");
  const inStage = whole === `/${stage}` || whole.startsWith(`/${stage}/`);
  return { inStage, path: whole.slice(stage.length + 1) || "/", query: rest.join("?") };
}

/** As the wire has them: lower case, and several values of a name in one. */
const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ""].flat().join(",")]));

function callerOf(
  { deployed, declaration, iam, verify }: GatewayCall,
  { match, path, wire }: { match: Match; path: string; wire: WireRequest },
): Principal | Refusal | undefined {
  if (match.route.authorization === "NONE") return undefined;
  const verified = verify(wire);
  if ("code" in verified) return refusals.unverified(verified);
  const resource = `${sourceArn(deployed, declaration)}/${wire.method}/${path.replace(/^\//, "")}`;
  const denied = iam.authorise(verified.principal, [{ action: "execute-api:Invoke", resource }]);
  return denied ? refusals.denied(denied) : verified.principal;
}

const sourceArn = ({ partition, region, account }: Deployment, { apiId, stage }: GatewayDeclaration): string =>
  `arn:${partition}:execute-api:${region}:${account}:${apiId}/${stage}`;

interface IntegrationRequest {
  match: Match;
  path: string;
  query: string;
  body: Buffer;
  principal: Principal | undefined;
}

async function integrate(call: GatewayCall, { match, ...rest }: IntegrationRequest): Promise<WireAnswer | Refusal> {
  const { declaration, request, requestId, domainName, deployed, iam, clock } = call;
  const { functionArn, resourcePath } = match.route;
  const method = request.method ?? "";
  const source = `${sourceArn(deployed, declaration)}/${method}${resourcePath}`;
  if (iam.admit("apigateway.amazonaws.com", source, { action: "lambda:InvokeFunction", resource: functionArn }))
    return refusals.notPermitted;
  const { apiId, stage, binaryMediaTypes } = declaration;
  const setting = { requestId, stage, apiId, domainName, accountId: deployed.account, now: clock.now() };
  const from = { rawHeaders: request.rawHeaders, sourceIp: request.socket.remoteAddress ?? "127.0.0.1" };
  const event = eventOf({ ...{ method, match, binaryMediaTypes, setting }, ...from, ...rest });
  const invoked = await invoke(call, match.route, JSON.stringify(event));
  if ("type" in invoked) return invoked;
  return answerOf(invoked, { binaryMediaTypes, accept: request.headers.accept }) ?? refusals.malformed;
}

/** Past the integration's time API Gateway answers, and the function may live on. */
async function invoke({ functions, clock }: GatewayCall, { functionArn, timeoutMs }: Route, payload: string) {
  const over = new AbortController();
  const late = clock.sleep(timeoutMs, over.signal).then(() => refusals.timedOut);
  try {
    return await Promise.race([functions.invoke({ functionArn, payload }).catch(refusalOf), late]);
  } finally {
    over.abort();
    late.catch(() => {});
  }
}

/** A body that fits API Gateway may not fit an invocation. */
function refusalOf(error: unknown): Refusal {
  if (!(error instanceof ServiceError)) throw error;
  return error.status === 413 ? refusals.tooLarge : refusals.notPermitted;
}

/** A fault of the rehearsal, not of what is rehearsed: it must not look like an answer of the API. */
const broken = (error: unknown): WireAnswer => ({
  status: 599,
  headers: { "content-type": "text/plain" },
  body: Buffer.from(`The rehearsal is broken: ${error instanceof Error ? error.stack : error}`),
});

function send(response: ServerResponse, { status, headers, body }: WireAnswer): void {
  // What is left of a body that was too large is not read any more.
  if (status === 413) response.setHeader("connection", "close");
  response.writeHead(status, headers).end(body);
}
