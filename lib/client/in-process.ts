/** The API of this computer as a client in the same process: no socket, no limits of size, errors as they were thrown. */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { MakeBody } from "../api/make-body.ts";
import type { ApiSettings, RunControl } from "../api/parts.ts";
import { Refused } from "../api/problem.ts";
import { dailyUsage } from "../control/lifecycle/daily-usage.ts";
import { defined } from "../core/defined.ts";
import { UserError } from "../core/errors.ts";
import type { NamedPrograms } from "../core/program/named-programs.ts";
import type { PromptPack } from "../core/prompt/prompt.ts";
import type { DayAccount } from "../core/run/daily.ts";
import type { Run } from "../core/run/run.ts";
import type { TurnAddress } from "../core/turn/turn-address.ts";
import { folderProgramsOf } from "../files/program/folder-programs.ts";
import { hasRegistry, makeWritableHome, runFolders } from "../host/home.ts";
import { createMemoryFiles } from "../host/memory-files.ts";
import { openSqliteTable } from "../host/sqlite-table.ts";
import { systemClock } from "../host/system-clock.ts";
import { type Application, createApplication } from "../local/application.ts";
import { type LocalMachine, type LocalParts, openLocalMachine } from "../local/open.ts";
import type { ReplayResult, SentRequest } from "../local/replay.ts";
import { createRunControl } from "../local/run-control.ts";
import { isRehearsal, type ModelWish, refusePricedServer } from "../model/open-model.ts";
import type { Keys } from "../model/provider.ts";
import { createOwnModels } from "../model/served-models.ts";
import { fileStoreKeys } from "../registry/keys.ts";
import { createRegistry } from "../registry/registry.ts";
import { keepTree, type Tree, type Trees } from "./attach-trees.ts";
import type { Fork, WayBack } from "./changes.ts";
import { type Client, createClient } from "./client.ts";
import { type FollowOptions, followEvents } from "./follow-run.ts";
import { createKeeping, type KeptPlace } from "./kept-place.ts";
import { askApi, type Send } from "./send.ts";

/** Besides the API: what only the computer can do that has the runs. */
export interface LocalClient extends Client {
  home: string;
  /** `kept`: where the run's files will go, on this computer. */
  submit(body: Parameters<Client["submit"]>[0], trees?: Trees, kept?: KeptPlace): ReturnType<Client["submit"]>;
  /** `folder`: where the new run's files will go. */
  back(run: Run, way: WayBack, place?: KeptPlace): Promise<Run>;
  fork(run: Run, fork: Fork, place?: KeptPlace): Promise<Run>;
  make(run: Run, body: MakeBody, place?: KeptPlace): Promise<Run>;
  /** Computes the run in this process, and shows its events meanwhile. Aborting the signal interrupts it. */
  compute(runId: string, following: FollowRequest): Promise<Run>;
  /** Computes the run again from its journal, without a model call. */
  replay(runId: string, pack?: PromptPack): Promise<ReplayResult>;
  /** What the model was asked at these turns, by their addresses. */
  requests(runId: string, wanted: TurnAddress[]): Promise<Map<string, SentRequest>>;
  /** Whether a live process computes the run. */
  isComputed(runId: string): boolean;
  /** Whether generated code is kept from everything else on this computer. */
  sealed(): ReturnType<LocalMachine["sealed"]>;
  /** The file that remembers where its files were delivered. */
  deliveryRecord(runId: string): string;
  /** The folders of runs in the home, whether its registry knows them or not. */
  leftFolders(): { folder: string; runs: number };
  /** How today stands, where all runs together have a ceiling for it. */
  today(): Promise<DayAccount | undefined>;
  close(): void;
}

export type FollowRequest = Pick<FollowOptions, "after" | "show" | "showUnderway"> & { signal: AbortSignal };

export interface LocalClientParts extends Omit<LocalParts, keyof Keys | "baseUrl"> {
  /** The model server of this computer's runs, and its key. */
  server?: ModelWish;
  /** Gets the home where its disk is too full to mark dead runs as interrupted. */
  onFullDisk?: (home: string) => void;
}

/** Makes the home where there is none. */
export async function openLocalClient(parts: LocalClientParts): Promise<LocalClient> {
  makeWritableHome(parts.home);
  const { server = {} } = parts;
  return clientOf(await openSwept(parts), { server, longestWaitSeconds: 20, programs: folderProgramsOf(parts) });
}

/** Reads the runs of a home. Makes no folder: a home without a registry has no runs. */
export async function openExistingRuns(parts: LocalClientParts): Promise<LocalClient> {
  const programs = folderProgramsOf(parts);
  if (!hasRegistry(parts.home)) return emptyClient(parts.home, programs);
  const machine = await openSwept(parts);
  // Each time that a follower asks again, runs that died meanwhile are marked.
  return clientOf(machine, { server: {}, longestWaitSeconds: 1, programs, beforeWait: () => machine.sweep() });
}

/** Opens the machine of a home, and marks runs whose process died as interrupted. */
export async function openSwept({
  server = {},
  onFullDisk = () => {},
  ...parts
}: LocalClientParts): Promise<LocalMachine> {
  const { apiKey, anthropicKey, geminiKey, openrouterKey, awsRegion, awsEndpoint, baseUrl } = server;
  const keys: Keys = { apiKey, anthropicKey, geminiKey, openrouterKey, awsRegion, awsEndpoint };
  const machine = openLocalMachine({ ...parts, ...keys, baseUrl });
  if ((await machine.sweep()) === "no room") onFullDisk(machine.home);
  return machine;
}

interface ClientOptions {
  server: ModelWish;
  longestWaitSeconds: number;
  programs: NamedPrograms;
  beforeWait?: () => Promise<unknown>;
}

function clientOf(machine: LocalMachine, options: ClientOptions): LocalClient {
  const { server, longestWaitSeconds, programs, beforeWait } = options;
  const { home, world, files } = machine;
  const trees = new Map<string, Tree>();
  const refuse = (run: Run): void => {
    if (!isRehearsal(run)) refusePricedServer(run, server.baseUrl ?? run.options.baseUrl);
  };
  const control = createRunControl({ machine, refuse, onBegun: () => {} });
  let kept: KeptPlace = {};
  const submit: RunControl["submit"] = (submission) =>
    control.submit({ ...submission, options: { ...submission.options, ...defined(kept) } });
  const application = createApplication({
    world,
    runs: { ...control, submit },
    models: createOwnModels(server),
    settings: { ...SETTINGS, longestWaitSeconds },
    programs,
    uploadedTrees: trees,
    answerUnderway: machine.answerUnderway,
    onFailure: () => {},
  });
  const client = createClient({ ...transportTo(application), keepTree: (tree) => keepTree(trees, tree) });
  return {
    ...client,
    ...createKeeping(client, (place) => {
      kept = place;
    }),
    async events(id, range) {
      if (range.wait && !machine.isAlive(id)) await beforeWait?.();
      return client.events(id, range);
    },
    output: async (run, at) => {
      const tree = await import("../control/files/run-tree.ts");
      return at === undefined ? tree.outputTree(files, run) : tree.packedTree(files, run, at);
    },
    compute: (runId, following) => computeFollowed(client, runId, { machine, ...following }),
    replay: machine.replay,
    requests: machine.requests,
    isComputed: machine.isAlive,
    sealed: machine.sealed,
    ...homeParts(home),
    today: () => dailyUsage(world),
    close: machine.close,
  };
}

/** Nothing is sent over a wire: whatever fits into a run fits into a request, and into an answer. */
const SETTINGS: Omit<ApiSettings, "longestWaitSeconds"> = {
  defaults: {},
  install: true,
  pollMs: 100,
  bodyBytes: Number.POSITIVE_INFINITY,
  answerBytes: Number.POSITIVE_INFINITY,
};

/** Follows until the computation has ended, then shows the events of its end. */
async function computeFollowed(
  client: Client,
  runId: string,
  { machine, signal, ...following }: FollowRequest & { machine: LocalMachine },
): Promise<Run> {
  const over = new AbortController();
  const computing = machine.compute(runId, signal).finally(() => over.abort());
  const [followed] = await Promise.allSettled([
    followEvents(client, runId, { ...following, until: "over", signal: over.signal }),
    computing,
  ]);
  const last = followed.status === "fulfilled" ? followed.value : following.after;
  await followEvents(client, runId, { ...following, after: last, until: "now" }).catch(() => {});
  return computing;
}

const URL_IN_PROCESS = "http://localhost";

/** Throws the error behind a problem itself: with its exit code, its remedy and its stack. */
function transportTo(application: Pick<Application, "answer">) {
  const send: Send = async (sending) => {
    let thrown: unknown;
    const onProblem = (error: unknown): void => {
      thrown = error instanceof Refused ? error.cause : error;
    };
    const answer = await askApi(application, sending, { requestId: "", baseUrl: URL_IN_PROCESS, onProblem });
    if (thrown instanceof Error) throw thrown;
    return answer;
  };
  const sleep = async (milliseconds: number): Promise<void> => delay(milliseconds);
  return { address: { url: URL_IN_PROCESS }, send, sleep, random: Math.random };
}

function emptyClient(home: string, programs: NamedPrograms): LocalClient {
  const registry = createRegistry({ table: openSqliteTable(":memory:"), clock: systemClock });
  const world = { registry, files: createMemoryFiles(), clock: systemClock, random: Math.random, dailyUsd: undefined };
  const none = (): never => {
    throw new UserError(`There are no runs in ${home}.`, { exitCode: 2, remedy: { command: "run", args: ["<task>"] } });
  };
  const steering = { approve: none, revise: none, answer: none, reject: none };
  const application = createApplication({
    world,
    runs: { submit: none, resume: none, cancel: none, remove: none, ...steering },
    models: createOwnModels({}),
    programs,
    settings: { ...SETTINGS, longestWaitSeconds: 0 },
    onFailure: () => {},
  });
  return {
    ...createClient(transportTo(application)),
    compute: none,
    replay: none,
    requests: none,
    isComputed: () => false,
    sealed: none,
    ...homeParts(home),
    today: () => dailyUsage(world),
    close: () => {},
  };
}

/** Computes a run from elsewhere again, from its journal. */
export async function replayJournal(client: Client, run: Run, pack?: PromptPack): Promise<ReplayResult> {
  const { replayFetched } = await import("../local/open-replay.ts");
  return replayFetched(await client.journal(run), pack);
}

/** What the model was asked at turns of a run from elsewhere. Turns after their instructions are not fetched. */
export async function requestsInJournal(
  client: Client,
  run: Run,
  wanted: TurnAddress[],
): Promise<Map<string, SentRequest>> {
  const { requestsFetched } = await import("../local/open-replay.ts");
  const last = Math.max(...wanted.map(({ instruction }) => instruction), 0);
  return requestsFetched(await client.journal({ ...run, pc: Math.min(run.pc, last) }), wanted);
}

const homeParts = (home: string): Pick<LocalClient, "home" | "deliveryRecord" | "leftFolders"> => ({
  home,
  deliveryRecord: (runId) => join(home, fileStoreKeys(runId).root, "delivered.json"),
  leftFolders: () => ({ folder: join(home, "runs"), runs: runFolders(home).length }),
});
