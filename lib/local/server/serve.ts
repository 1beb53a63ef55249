/** Serves the API on loopback, and computes in this process what is submitted through it. A composition root. */
import { randomBytes } from "node:crypto";
import { createApi } from "../../api/api.ts";
import type { ApiParts } from "../../api/parts.ts";
import { isEnded, type Run } from "../../core/run/run.ts";
import { messageOf } from "../../core/text/message-of.ts";
import { builtInPacks } from "../../files/prompt-folder.ts";
import { isRehearsal, refusePricedServer } from "../../model/open-model.ts";
import { createServedModels, type ServedModel } from "../../model/served-models.ts";
import { LOCAL_OWNER, type Machine } from "../machine.ts";
import { type ComputeQueue, createComputeQueue } from "./compute-queue.ts";
import { type GuardedServer, openGuardedServer } from "./guarded-server.ts";
import { createLoopbackLinks, LINKS_PATH } from "./loopback-links.ts";
import { createLoopbackUploads, UPLOADS_PATH } from "./loopback-uploads.ts";

export interface ServeParts {
  machine: Machine;
  /** 0 takes a free one. */
  port: number;
  model: ServedModel;
  defaults: ApiParts["settings"]["defaults"];
  install: boolean;
  /** How its user typed this command; absent: by its name alone. */
  typed?: string | undefined;
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
  const { files } = machine;
  const { clock } = machine.world;
  const links = createLoopbackLinks({ files, clock, secret: randomBytes(32) });
  const uploads = createLoopbackUploads({ files, clock });
  const queue = createComputeQueue({
    compute: machine.compute,
    atOnce: COMPUTED_AT_ONCE,
    onEnd: (run) => say(endLine(run)),
    onFailure: (runId, error) => say(`Run ${runId} could not be computed: ${messageOf(error)}`),
  });
  const api = createApi({ ...(await apiParts(parts, queue)), links, uploads });
  const sweep = createSweep(machine);
  const server = await openGuardedServer({
    port: parts.port,
    typed: parts.typed,
    say,
    async answer(request, { requestId, refuse, authorised }) {
      await sweep();
      const { pathname } = new URL(request.url);
      // The guard has looked at it. To the page of one of its names, the other is foreign.
      const baseUrl = `http://${request.headers.get("host")}`;
      // What a link was given for is all that it allows.
      if (request.method === "PUT" && pathname.startsWith(UPLOADS_PATH)) {
        const taken = await uploads.take(request);
        return "stored" in taken ? new Response(null, { status: 200 }) : refuse(taken);
      }
      const unauthorised = authorised();
      if (unauthorised) return unauthorised;
      if (pathname.startsWith(LINKS_PATH)) return (await links.open(new URL(request.url))) ?? refuse(EXPIRED);
      return api.fetch(request, { caller: LOCAL_OWNER, requestId, baseUrl });
    },
  });
  return { url: server.url, stop: () => stop(server, queue) };
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

const EXPIRED = { status: 404, detail: "This link has expired, or never was one. Ask for a new one." } as const;

/** No new requests; then the runs; then whoever still waits for events. */
async function stop(server: GuardedServer, queue: ComputeQueue): Promise<number> {
  server.close();
  const kept = await queue.stop();
  server.cutOff();
  return kept;
}

const endLine = ({ id, name, status, detail }: Run): string =>
  `Run ${id} (${name}): ${status}${isEnded(status) && status !== "completed" && detail ? `, ${detail}` : ""}`;
