/** Serves the API on loopback, and computes in this process what is submitted through it. A composition root. */
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { type Api, createApi } from "../api/api.ts";
import type { ApiParts } from "../api/parts.ts";
import { problemResponse, Refused } from "../api/problem.ts";
import { UserError } from "../core/errors.ts";
import { isEnded, type Run } from "../core/run.ts";
import { type ComputeQueue, createComputeQueue } from "./compute-queue.ts";
import { mayHaveToken, whyForeign, whyUnauthorised } from "./guard.ts";
import { createLoopbackLinks, LINKS_PATH, type LoopbackLinks } from "./loopback-links.ts";
import { createLoopbackUploads, type LoopbackUploads, UPLOADS_PATH } from "./loopback-uploads.ts";
import { LOCAL_OWNER, type Machine } from "./machine.ts";
import { isRehearsal, refusePricedServer } from "./open-model.ts";
import { createPageFiles } from "./page-files.ts";
import { builtInPacks } from "./prompt-folder.ts";
import { createServedModels, type ServedModel } from "./served-models.ts";

export interface ServeParts {
  machine: Machine;
  /** 0 takes a free one. */
  port: number;
  model: ServedModel;
  defaults: ApiParts["settings"]["defaults"];
  install: boolean;
  /** What happens to runs, in lines. */
  say: (line: string) => void;
}

export interface Served {
  url: string;
  /** Answers how many runs were interrupted. */
  stop(): Promise<number>;
}

const LONGEST_WAIT_SECONDS = 20;
const COMPUTED_AT_ONCE = 3;

export async function serve(parts: ServeParts): Promise<Served> {
  const { machine, say } = parts;
  let port = 0;
  const baseUrl = (): string => `http://127.0.0.1:${port}`;
  const { files } = machine;
  const { clock } = machine.world;
  const links = createLoopbackLinks({ files, clock, secret: randomBytes(32), baseUrl });
  const uploads = createLoopbackUploads({ files, clock, baseUrl });
  const queue = createComputeQueue({
    compute: machine.compute,
    atOnce: COMPUTED_AT_ONCE,
    onEnd: (run) => say(endLine(run)),
    onFailure: (runId, error) => say(`Run ${runId} could not be computed: ${messageOf(error)}`),
  });
  const api = createApi({ ...(await apiParts(parts, queue)), links, uploads });
  const gate = createGate({ api, links, uploads, token: randomBytes(32).toString("base64url"), baseUrl });
  const sweep = createSweep(machine);
  const server = createAdaptorServer({
    fetch: async (request) => {
      const requestId = randomUUID();
      try {
        await sweep();
        return await gate(request, requestId);
      } catch (error) {
        say(`Request ${requestId} failed: ${messageOf(error)}`);
        return problemResponse(error, requestId);
      }
    },
  }) as Server;
  port = await listen(server, parts.port);
  return { url: baseUrl(), stop: () => stop(server, queue) };
}

const SWEEP_MS = 1_000;

/** Other processes compute runs of this home too, and die. */
function createSweep({ world: { clock }, sweep }: Machine): () => Promise<void> {
  let sweptAt = 0;
  return async () => {
    if (clock.now() - sweptAt < SWEEP_MS) return;
    sweptAt = clock.now();
    await sweep({ spareHeld: true });
  };
}

async function apiParts({ machine, ...parts }: ServeParts, queue: ComputeQueue): Promise<Omit<ApiParts, "links">> {
  const packs = await builtInPacks();
  const { registry, files, world } = machine;
  return {
    registry,
    files,
    clock: world.clock,
    random: world.random,
    runs: runControl(machine, { queue, baseUrl: parts.model.baseUrl }),
    models: createServedModels(parts.model),
    packs: async (domain) => packs[domain],
    dailyUsd: world.dailyUsd,
    settings: { defaults: parts.defaults, install: parts.install, longestWaitSeconds: LONGEST_WAIT_SECONDS },
    onFailure: (error, requestId) => parts.say(`Request ${requestId} failed: ${messageOf(error)}`),
  };
}

interface Computing {
  queue: ComputeQueue;
  /** Where the model server is now. */
  baseUrl: string | undefined;
}

const runControl = (machine: Machine, { queue, baseUrl }: Computing): ApiParts["runs"] => ({
  async submit(submission) {
    const submitted = await machine.submitOnce(submission);
    if ("run" in submitted && submitted.isNew) queue.add(submitted.run.id);
    return submitted;
  },
  resume: (runId, budget) => goOn(machine, { queue, baseUrl, runId, begin: () => machine.resume(runId, budget) }),
  approve: (runId, program) => goOn(machine, { queue, baseUrl, runId, begin: () => machine.approve(runId, program) }),
  reject: machine.reject,
  cancel: machine.cancel,
  remove: machine.remove,
});

interface GoingOn extends Computing {
  runId: string;
  begin: () => Promise<Run>;
}

async function goOn({ registry }: Machine, { queue, baseUrl, runId, begin }: GoingOn): Promise<Run> {
  const found = await registry.run(runId);
  if (found && !isRehearsal(found)) refusePricedServer(found, baseUrl ?? found.options.baseUrl);
  const run = await begin();
  queue.add(runId);
  return run;
}

interface GateParts {
  api: Api;
  links: LoopbackLinks;
  uploads: LoopbackUploads;
  token: string;
  baseUrl: () => string;
}

/** What stands before the API on a computer where any page of the web can send requests. */
function createGate({ api, links, uploads, token, baseUrl }: GateParts) {
  const pageFile = createPageFiles();
  return async (request: Request, requestId: string): Promise<Response> => {
    const refuse = ({ status, detail }: { status: 400 | 403 | 404 | 415; detail: string }): Response =>
      problemResponse(new Refused(status, detail), requestId);
    const foreign = whyForeign(request, Number(new URL(baseUrl()).port));
    if (foreign) return refuse(foreign);
    const url = new URL(request.url);
    if (request.method === "PUT" && url.pathname.startsWith(UPLOADS_PATH)) {
      const taken = await uploads.take(request);
      return "stored" in taken ? new Response(null, { status: 200 }) : refuse(taken);
    }
    const page = await pageFile(request);
    if (page) return page;
    const unauthorised = whyUnauthorised(request, token);
    if (unauthorised) return refuse(unauthorised);
    if (url.pathname.startsWith(LINKS_PATH)) return (await links.open(url)) ?? refuse(EXPIRED);
    if (url.pathname === "/token") return mayHaveToken(request) ? Response.json({ token }) : refuse(PAGES_ONLY);
    return api.fetch(request, { caller: LOCAL_OWNER, requestId, baseUrl: baseUrl() });
  };
}

const EXPIRED = { status: 404, detail: "This link has expired, or never was one. Ask for a new one." } as const;
const PAGES_ONLY = { status: 403, detail: "The token is for pages of this server; commands need none." } as const;

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    throw new UserError(`Port ${port} cannot be used: ${messageOf(error)}.`, {
      exitCode: 3,
      remedy: "l2mac serve --port N, with another number (0 takes a free one)",
      cause: error,
    });
  }
  return (server.address() as AddressInfo).port;
}

/** No new requests; then the runs; then whoever still waits for events. */
async function stop(server: Server, queue: ComputeQueue): Promise<number> {
  server.close();
  const kept = await queue.stop();
  server.closeAllConnections();
  return kept;
}

const endLine = ({ id, name, status, detail }: Run): string =>
  `Run ${id} (${name}): ${status}${isEnded(status) && status !== "completed" && detail ? `, ${detail}` : ""}`;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
