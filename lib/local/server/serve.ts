/** Serves the API on loopback, and computes in this process what is submitted through it. A composition root. */
import { responseOf } from "../../api/exchange.ts";
import type { ApiParts } from "../../api/parts.ts";
import { loadRoutes } from "../../api/routes.ts";
import { defined } from "../../core/defined.ts";
import { messageOf } from "../../core/errors.ts";
import type { NamedPrograms } from "../../core/program/named-programs.ts";
import { isEnded, type Run } from "../../core/run/run.ts";
import { projectVersion } from "../../files/project-files.ts";
import { peerOf } from "../../host/socket-users.ts";
import { isRehearsal, refusePricedServer } from "../../model/open-model.ts";
import { createServedModels, type ServedModel } from "../../model/served-models.ts";
import { createApplication } from "../application.ts";
import type { Machine } from "../machine.ts";
import { createRunControl } from "../run-control.ts";
import { type ComputeQueue, createComputeQueue } from "./compute-queue.ts";
import { type GuardedServer, openGuardedServer } from "./guarded-server.ts";
import { createOpeningCodes } from "./opening-codes.ts";

export interface ServeParts {
  machine: Machine;
  /** 0 takes a free one. */
  port: number;
  /** Takes a free one where the port is taken. */
  orFree?: boolean | undefined;
  model: ServedModel;
  defaults: ApiParts["settings"]["defaults"];
  install: boolean;
  /** How its user typed this command; absent: by its name alone. */
  typed?: string | undefined;
  /** What happens to runs, in lines. */
  say: (line: string) => void;
  /** Absent: no program is called by name. */
  programs?: NamedPrograms;
}

export interface Served {
  url: string;
  /** Of this start: other users do not have it. */
  key: string;
  /** Lets in one page, once. */
  openingCode(): string;
  /** Answers how many runs were interrupted. */
  stop(): Promise<number>;
}

const LONGEST_WAIT_SECONDS = 20;
const COMPUTED_AT_ONCE = 3;

export async function serve(parts: ServeParts): Promise<Served> {
  const { machine, say } = parts;
  const queue = createComputeQueue({
    compute: machine.compute,
    atOnce: COMPUTED_AT_ONCE,
    onEnd: (run) => say(endLine(run)),
    onFailure: (runId, error) => say(`Run ${runId} could not be computed: ${messageOf(error)}`),
  });
  const application = openApplication(parts, queue);
  // An upgrade replaces the files that a running server was started from.
  await loadRoutes();
  const sweep = createSweep(machine);
  const codes = createOpeningCodes(machine.world.clock.now);
  const server = await openGuardedServer({
    port: parts.port,
    orFree: parts.orFree,
    codes,
    peerOf,
    typed: parts.typed,
    say,
    async answer(request, { requestId, authorised }) {
      await sweep();
      // What a link was given for is all that it allows.
      if (application.isUpload(request)) return application.storeUpload(request, requestId);
      const refused = application.isLink(request) ? undefined : authorised();
      // The guard has looked at it. To the page of one of its names, the other is foreign.
      const baseUrl = `http://${request.headers.get("host")}`;
      return refused ?? responseOf(await application.answer(request, { requestId, baseUrl }));
    },
  });
  return { url: server.url, key: server.key, openingCode: codes.make, stop: () => stop(server, queue) };
}

function openApplication({ machine, model, defaults, install, programs, say }: ServeParts, queue: ComputeQueue) {
  const refuse = (run: Run): void => {
    if (!isRehearsal(run)) refusePricedServer(run, model.baseUrl ?? run.options.baseUrl);
  };
  return createApplication({
    world: machine.world,
    runs: createRunControl({ machine, refuse, onBegun: queue.add }),
    models: createServedModels(model),
    answerUnderway: machine.answerUnderway,
    ...defined({ programs }),
    settings: {
      version: projectVersion(),
      home: machine.home,
      defaults,
      install,
      longestWaitSeconds: LONGEST_WAIT_SECONDS,
    },
    onFailure: (error, requestId) => say(`Request ${requestId} failed: ${messageOf(error)}`),
  });
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

/** No new requests; then the runs; then requests that still wait for events. */
async function stop(server: GuardedServer, queue: ComputeQueue): Promise<number> {
  server.close();
  const kept = await queue.stop();
  server.cutOff();
  return kept;
}

const endLine = ({ id, name, status, detail }: Run): string =>
  `Run ${id} (${name}): ${status}${isEnded(status) && status !== "completed" && detail ? `, ${detail}` : ""}`;
