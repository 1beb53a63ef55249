/** Replays a run on a scratch copy: prompts and tools run again, with the stored answers and verdicts, and no network. */
import { sha256 } from "../control/files/digest.ts";
import { readPack } from "../control/files/packs.ts";
import { treeHash } from "../control/files/tree-hash.ts";
import { readVerified } from "../control/files/verified-read.ts";
import { submit } from "../control/lifecycle/submit.ts";
import { readInheritance } from "../control/make/inheritance.ts";
import { listsAt } from "../control/program/read-items.ts";
import { programOf } from "../control/program/stored-program.ts";
import { readTaskDocument } from "../control/program/stored-task.ts";
import { type Difference, type Recording, type RecordingOptions, record } from "../control/turn/recording.ts";
import type { World } from "../control/world.ts";
import type { Draft } from "../core/program/program.ts";
import type { PromptPack } from "../core/prompt/prompt.ts";
import type { Run } from "../core/run/run.ts";
import type { TaskDocument } from "../core/run/task.ts";
import { maskEveryText } from "../core/text/secrets.ts";
import { firstDifference, type ModelCall } from "../core/turn/first-difference.ts";
import { type TurnAddress, turnAddress } from "../core/turn/turn-address.ts";
import { createMemoryFiles } from "../host/memory-files.ts";
import { openSqliteTable } from "../host/sqlite-table.ts";
import { unpackTree } from "../pack/pack.ts";
import { fileStoreKeys } from "../registry/keys.ts";
import { createRegistry } from "../registry/registry.ts";
import type { ComputeEpochs } from "./compute.ts";
import { playJournal } from "./play-journal.ts";
import { forkAgain, partsOf } from "./replay-forks.ts";

export interface ReplayResult {
  treeHash: string;
  expected: string;
  turns: number;
  difference?: Difference;
}

export interface ReplayParts {
  world: World;
  compute: ComputeEpochs;
  run: Run;
  /** That was executed. Absent: it is read from the world. */
  program?: Draft | undefined;
  /** Other prompts than the run had: then the first difference is what one wants to see. */
  pack?: PromptPack | undefined;
}

export async function replayRun(replaying: ReplayParts): Promise<ReplayResult> {
  const { replayed, recording } = await replayOnce(replaying);
  const { difference } = replayed;
  const now = recording.request();
  if (!difference || !now) return replayed;
  const was = await whatWasAsked(replaying, { recording, now, at: difference });
  const first = was && firstDifference(was, now);
  const what = first?.what ?? `${difference.what}, and what it was is not known any more`;
  return { ...replayed, difference: { ...difference, what, ...(first ? { excerpt: first.excerpt } : {}) } };
}

/** The journal keeps the request as a hash: what the run's own prompts ask here is it, if the hash is the same. */
async function whatWasAsked(
  { pack, ...replaying }: ReplayParts,
  { recording, now, at }: { recording: Recording; now: ModelCall; at: Difference },
): Promise<ModelCall | undefined> {
  const own = pack ? (await askedAt(replaying, [at])).calls.get(turnAddress(at)) : now;
  if (!own) return undefined;
  const tools = recording.toolsAt(at) ?? own.tools;
  return [own, { ...own, tools }].find((asked) => recording.wasAsked(at, asked));
}

/** What the model was asked at a turn. */
export interface SentRequest {
  request: ModelCall;
  /** Whether it is what was sent, byte for byte; another version of l2mac may ask otherwise. */
  isExact: boolean;
}

/**
 * The journal keeps requests as hashes: this builds them again, by one replay that ends at the last. By
 * their addresses; what the replay does not reach is missing.
 */
export async function requestsAt(parts: ReplayParts, wanted: TurnAddress[]): Promise<Map<string, SentRequest>> {
  const { recording, calls } = await askedAt(parts, wanted);
  const found = wanted.flatMap((at): [string, SentRequest][] => {
    const call = calls.get(turnAddress(at));
    if (!call) return [];
    const sent = { ...call, tools: recording.toolsAt(at) ?? call.tools };
    return [[turnAddress(at), { request: maskEveryText(sent), isExact: recording.wasAsked(at, sent) }]];
  });
  return new Map(found);
}

async function askedAt(parts: Replaying, wanted: TurnAddress[]) {
  const over = new AbortController();
  const open = new Set(wanted.map(turnAddress));
  const calls = new Map<string, ModelCall>();
  const onCall = (at: TurnAddress, call: ModelCall): void => {
    if (!open.delete(turnAddress(at))) return;
    calls.set(turnAddress(at), call);
    if (open.size === 0) over.abort();
  };
  const { recording } = await replayOnce({ ...parts, onCall, signal: over.signal });
  return { recording, calls };
}

interface Replaying extends ReplayParts {
  onCall?: RecordingOptions["onCall"];
  signal?: AbortSignal;
}

async function replayOnce({ world, compute, run, pack, onCall, signal = NEVER, ...given }: Replaying) {
  const document = await readTaskDocument(world.files, run.id);
  const parts = partsOf(document, given.program ?? (await programOf(world, run)), pack);
  const recording = await record(world, run, { onCall, forks: parts.slice(1).map(({ fork }) => fork) });
  const table = openSqliteTable(":memory:");
  const scratch: World = {
    ...world,
    registry: createRegistry({ table, clock: world.clock }),
    files: createMemoryFiles(),
    model: async () => recording.model,
    evaluator: recording.evaluator,
    inputsFor: recording.inputsFor,
    recorded: recording,
    // Its calls are paid for.
    dailyUsd: undefined,
  };
  try {
    const runId = await submitAgain(scratch, { world, run, document: { ...document, pack: parts[0].pack } });
    for (const part of parts) {
      if (part !== parts[0]) await forkAgain(scratch, { runId, part, recording });
      await playJournal(scratch, { compute, runId, program: part.program, recording, signal });
    }
    const difference = recording.difference();
    const replayed: ReplayResult = {
      treeHash: treeHash(await scratch.registry.allFiles(runId)),
      expected: await treeHashOf(world, run),
      turns: recording.played(),
      ...(difference ? { difference } : {}),
    };
    return { replayed, recording };
  } finally {
    table.close();
  }
}

const NEVER = new AbortController().signal;

/** Until its starting files are loaded, a run has those of their pack. */
async function treeHashOf(world: World, run: Run): Promise<string> {
  if (run.toLoad === undefined) return treeHash(await world.registry.allFiles(run.id));
  const start = await startOf(world, run);
  return treeHash([...start].map(([path, content]) => ({ path, sha256: sha256(content) })));
}

/** Above any price. */
const NEVER_ASK_USD = Number.MAX_SAFE_INTEGER;

/** The same task, program and starting files; no ceiling, since nothing is paid. It waits for approval if the run did. */
async function submitAgain(
  scratch: World,
  { world, run, document }: Pick<ReplayParts, "world" | "run"> & { document: TaskDocument },
): Promise<string> {
  const start = run.options.from ? await startOf(world, run) : undefined;
  const { name, owner, models } = run;
  const profile = models?.[0] ?? run.profile;
  const submitted = await submit(scratch, {
    ...document,
    ...(start ? { from: start } : {}),
    lists: await listsAt(world.files, run.id, document.frames ?? []),
    name,
    owner,
    profile,
    ...(models ? { models } : {}),
    options: { ...run.options, budget: {}, askAbove: run.consent === undefined ? NEVER_ASK_USD : 0 },
    ...(run.make ? { inheriting: await readInheritance(world.files, run.id) } : {}),
    judged: (await world.registry.baseline(run.id)) !== undefined,
  });
  if ("conflict" in submitted) throw new Error("A run without an idempotency key cannot conflict.");
  return submitted.run.id;
}

async function startOf({ files }: World, { id }: Run): Promise<Map<string, Uint8Array>> {
  const pack = await readPack(files, id, 0);
  return readVerified(fileStoreKeys(id).pack(0), () => unpackTree(pack));
}
