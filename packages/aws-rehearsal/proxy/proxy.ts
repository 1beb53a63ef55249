/**
 * Where AWS is, for the deployed functions: one address on the loopback. It verifies every signature, asks IAM for every
 * action, and leads to an emulator or to a service of the rehearsal only what is allowed. What it does not know it refuses.
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { type Count, createCounts } from "../cost/counts.ts";
import { askingForUnits, NO_UNITS, type Units, unitsOf } from "../cost/units.ts";
import type { Disturbances } from "../disturbances.ts";
import { BY_LINK, isLink, refusedByEndpoint } from "../iam/endpoint-policy.ts";
import type { PlayedIam } from "../iam/iam.ts";
import { isProblem, type Operation, unknownOperation } from "../operations/operation.ts";
import { isServiceName, OPERATIONS, type ServiceName } from "../operations/operations.ts";
import type { Ask, Denial, Deployment, Hop, Principal, Service, WireAnswer, WireRequest } from "../parts.ts";
import type { Problem } from "../sigv4/signature-problem.ts";
import { verify } from "../sigv4/sigv4.ts";
import type { Certificate } from "./certificate.ts";
import { checksumProblem } from "./s3-checksum.ts";
import { serveBoth } from "./two-protocols.ts";
import { createUpstreams, forEmulator, type Upstreams } from "./upstream.ts";
import { asksBeforeNotFound, denied, deniedDeletions, errorAnswer } from "./wire-errors.ts";

export interface ProxyParts {
  deployed: Deployment;
  iam: PlayedIam;
  /** Emulators, by the service that they play. */
  upstreams: Partial<Record<ServiceName, string>>;
  /** What the rehearsal plays itself; it goes before an emulator. */
  services?: Partial<Record<ServiceName, Service>>;
  hop?: (hop: Hop) => void;
  now: () => number;
  certificate?: Certificate;
  /** What is to go wrong with requests that are allowed. */
  disturbed?: Pick<Disturbances<AwsCall, CallTrouble>, "of">;
}

export interface AwsCall {
  /** The role's logical id, or the user's name. */
  who: string;
  service: ServiceName;
  operation: string;
  /** As in a hop: a table, a key. */
  about: string;
  body: string;
}

export interface CallTrouble {
  /** Whether the request is carried out, and only its answer is another one. */
  takesEffect: boolean;
  /** Somebody dies, say: after the effect, and before the answer. */
  meanwhile?: () => unknown;
  /** `closed`: none, and the connection is gone. Absent, where it takes effect: its own. */
  answer: Problem | WireAnswer | "closed" | undefined;
}

export interface RunningProxy {
  endpoint: string;
  /** The same over TLS. */
  secureEndpoint: string;
  counts(): Count[];
  /** Errors of the rehearsal itself, which the caller sees as internal errors. */
  failures: readonly unknown[];
  stop(): Promise<void>;
}

export async function startProxy(parts: ProxyParts): Promise<RunningProxy> {
  const upstreams = createUpstreams();
  const counts = createCounts();
  const failures: unknown[] = [];
  const answering = createAnswering(parts, upstreams);

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = randomUUID();
    const answered = await answering(await wireRequest(incoming), requestId).catch(
      (error: unknown): AnsweredRequest => {
        failures.push(error);
        const said = {
          status: 500,
          code: "InternalFailure",
          message: `The rehearsal failed: ${(error as Error).message}`,
        };
        return { ...UNKNOWN, answer: errorAnswer("?", said, requestId), code: said.code };
      },
    );
    const { who, service, operation, about, answer, units = NO_UNITS } = answered;
    counts.note({ principal: who, service, operation }, { status: answer.status, units });
    parts.hop?.({ from: who, to: service, what: `${operation} ${about}`.trim(), answer: describeAnswer(answered) });
    if (answered.isClosed) return void response.destroy();
    send(response, answer, incoming.method === "HEAD");
  }

  const served = await serveBoth(
    (incoming, response) => void serve(incoming, response).catch(() => response.destroy()),
    parts.certificate,
  );
  const at = `127.0.0.1:${served.port}`;
  return {
    endpoint: `http://${at}`,
    secureEndpoint: `https://${at}`,
    counts: counts.all,
    failures,
    async stop() {
      await served.stop();
      upstreams.close();
    },
  };
}

interface AnsweredRequest {
  who: string;
  service: string;
  operation: string;
  about: string;
  answer: WireAnswer;
  /** Of an error that did not come from where the request was going. */
  code?: string;
  units?: Units;
  /** The answer is not delivered. */
  isClosed?: boolean;
}

const UNKNOWN = { who: "?", service: "?", operation: "?", about: "" };

function createAnswering(parts: ProxyParts, connections: Upstreams) {
  const { deployed, iam, upstreams, services = {}, disturbed, now } = parts;
  const listening = Object.keys(OPERATIONS);

  /** As its code asks: what a function's session asks over the wire carries the function. */
  function authorise(principal: Principal, asks: Ask[]): Denial | undefined {
    const source = iam.sourceFunctionOf(principal);
    const carried = source === undefined ? {} : { "lambda:sourcefunctionarn": source };
    return iam.authorise(
      principal,
      asks.map((ask) => ({ ...ask, context: { ...ask.context, ...carried } })),
    );
  }

  async function ask(service: ServiceName, operation: Operation, asked: ProxyRequest): Promise<ProxyAnswer> {
    const { request, principal } = asked;
    if (operation.name === "DeleteObjects") {
      const refused = deletionsRefused(operation.asks, (each) => authorise(principal, [each]));
      if (refused) return refused;
    } else {
      const refused = authorise(principal, operation.asks);
      if (refused) return denied(service, refused.message);
      const kept = isLink(request, principal) ? refusedByEndpoint(deployed, operation.asks) : undefined;
      if (kept !== undefined) return denied(service, kept);
    }
    const broken = service === "s3" ? checksumProblem(request) : undefined;
    if (broken) return broken;
    const { name: called, about } = operation;
    const body = request.body.toString("latin1");
    const trouble = disturbed?.of({ who: principal.name, service, operation: called, about, body });
    return trouble ? troubled(trouble, () => carryOut(service, operation, asked)) : carryOut(service, operation, asked);
  }

  async function carryOut(
    service: ServiceName,
    operation: Operation,
    { request, principal }: ProxyRequest,
  ): Promise<ProxyAnswer> {
    const played = services[service];
    if (played) return played(request, principal);
    const endpoint = upstreams[service];
    if (endpoint === undefined) return unknownOperation(`the service ${service}`);
    const answer = await connections.forward(endpoint, forEmulator(service, request));
    if (service !== "s3") return answer;
    const before = asksBeforeNotFound(operation, answer);
    const hidden = before && authorise(principal, before);
    return hidden ? denied(service, hidden.message) : answer;
  }

  return async (request: WireRequest, requestId: string): Promise<AnsweredRequest> => {
    const refused = (asked: Omit<AnsweredRequest, "answer">, problem: Problem): AnsweredRequest => ({
      ...asked,
      ...{ answer: errorAnswer(asked.service, problem, requestId), code: problem.code },
    });
    const verified = verify(request, { iam, region: deployed.region, services: listening, now: now() });
    if (isProblem(verified)) return refused({ ...UNKNOWN, service: verified.service }, verified);
    const { principal, service } = verified;
    if (!isServiceName(service)) throw new Error(`A request to ${service} was taken.`);
    const operation = OPERATIONS[service](request, deployed);
    const who = isLink(request, principal) ? principal.name + BY_LINK : principal.name;
    if (isProblem(operation)) return refused({ ...UNKNOWN, who, service }, operation);
    const { name, about } = operation;
    const asked = { who, service, operation: name, about };
    const isCounted = service === "dynamodb";
    const said = await ask(service, operation, { request: isCounted ? askingForUnits(request) : request, principal });
    if (said === "closed") return { ...refused(asked, CLOSED), isClosed: true };
    if (isProblem(said)) return refused(asked, said);
    const units = isCounted ? unitsOf(name, request, said) : NO_UNITS;
    return { ...asked, answer: said, units };
  };
}

interface ProxyRequest {
  request: WireRequest;
  principal: Principal;
}

type ProxyAnswer = WireAnswer | Problem | "closed";

/** For the log only. */
const CLOSED: Problem = { status: 500, code: "Unanswered", message: "The connection was closed." };

async function troubled(
  { takesEffect, meanwhile, answer }: CallTrouble,
  work: () => Promise<ProxyAnswer>,
): Promise<ProxyAnswer> {
  const own = takesEffect ? await work() : "closed";
  await meanwhile?.();
  return answer ?? own;
}

function deletionsRefused(asks: Ask[], authorise: (ask: Ask) => Denial | undefined): WireAnswer | Problem | undefined {
  const denials = asks.flatMap((ask) => authorise(ask) ?? []);
  if (denials.length === 0) return undefined;
  return denials.length === asks.length
    ? deniedDeletions(asks, denials)
    : unknownOperation("a deletion of which a part is denied");
}

async function wireRequest(incoming: IncomingMessage): Promise<WireRequest> {
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [
    name,
    [value ?? ""].flat().join(","),
  ]);
  return {
    method: incoming.method ?? "",
    target: incoming.url ?? "",
    headers: Object.fromEntries(headers),
    body: await buffer(incoming),
  };
}

function send(response: ServerResponse, { status, headers, body }: WireAnswer, isHead: boolean): void {
  const length = isHead ? {} : { "content-length": String(body.length) };
  response.writeHead(status, { ...headers, ...length });
  response.end(isHead ? undefined : body);
}

const describeAnswer = ({ answer, code, units: { read, write } = NO_UNITS }: AnsweredRequest): string =>
  [
    `${answer.status} ${code ?? ""}`.trim(),
    read > 0 ? `${read} read units` : "",
    write > 0 ? `${write} write units` : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
