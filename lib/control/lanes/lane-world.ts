/** The world as a lane sees it: the files of the pack that it is based on, and its own turns. */
import { evaluatedAs } from "../../core/program/ahead.ts";
import type { Run } from "../../core/run/run.ts";
import { foldPath } from "../../core/text/file-path.ts";
import type { FileEntry } from "../../core/turn/turn.ts";
import { readEntry } from "../../pack/pack.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { sha256 } from "../files/digest.ts";
import { readTree } from "../files/packs.ts";
import { entryOf } from "../files/tree.ts";
import { readBlob, readVerified } from "../files/verified-read.ts";
import { LANE_FACTS } from "../turn/body-kinds.ts";
import { readBody } from "../turn/journal.ts";
import type { World } from "../world.ts";
import { evidenceInLane } from "./lane-evidence.ts";

/** What others join meanwhile is not seen: so a replay finds the same. */
export async function laneWorld(world: World, lane: Run): Promise<World> {
  const { registry, evaluator } = world;
  const { inputsFor } = world;
  const entries = await entriesOf(world, lane);
  const facts = await readBody(
    world.files,
    { key: fileStoreKeys(lane.id).laneFacts(lane.lane ?? 0, lane.packed) },
    LANE_FACTS,
  );
  const evidence = await evidenceInLane(world, lane, facts.evidence);
  const page = ({ prefix = "", after = "", limit }: { prefix?: string; after?: string; limit: number }): FileEntry[] =>
    [...entries]
      .filter(([folded]) => folded.startsWith(prefix) && folded > after)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .slice(0, limit)
      .map(([, entry]) => entry);
  return {
    ...world,
    ...(inputsFor ? { inputsFor: (at, now) => inputsFor({ ...at, lane: lane.lane }, now) } : {}),
    registry: {
      ...registry,
      turns: registry.aheadTurns,
      testLocks: async () => facts.testLocks,
      baseline: async () => facts.baseline,
      evidence: evidence.read,
      file: async (_runId, folded) => entries.get(folded),
      files: async (_runId, range) => page(range),
      allFiles: async () => page({ limit: entries.size }),
      // Its changes become part of the directory when it joins.
      async commit(run, { entries: changed = [], evidence: gathered = [], evidenceFound: _found, ...commit }) {
        const written = await registry.commit(run, commit);
        evidence.add(gathered);
        for (const { folded, entry } of changed) change(entries, folded, entry);
        return written;
      },
    },
    evaluator: {
      ...evaluator,
      // The work folders of two lanes are two.
      evaluate: (request, signal) =>
        evaluator.evaluate({ ...request, runId: evaluatedAs(request.runId, lane.lane ?? 0) }, signal),
    },
  };
}

type Entries = Map<string, FileEntry>;

const change = (entries: Entries, folded: string, entry: FileEntry | null): unknown =>
  entry ? entries.set(folded, entry) : entries.delete(folded);

/**
 * The files of its base, with what its turns have changed so far. What the directory has had since before the base is as
 * it was there; only what was changed since is read from the pack.
 */
async function entriesOf({ files, registry }: World, { id, pc, packed }: Run): Promise<Entries> {
  const base = { instruction: packed, turn: 0 };
  const [tree, now] = await Promise.all([readTree(files, id, packed), registry.allFiles(id)]);
  const same = now.filter(({ instruction }) => instruction <= packed);
  const entries: Entries = new Map(same.map((entry) => [foldPath(entry.path), { ...entry, ...base }]));
  for (const entry of tree.values()) {
    if (entries.has(foldPath(entry.path))) continue;
    const content = readVerified(fileStoreKeys(id).pack(packed), () => readEntry(entry));
    add(entries, { path: entry.path, content, ...base });
  }
  for (const { turn, changes } of await registry.aheadTurns(id, pc)) {
    for (const { path, sha256: sha } of changes) {
      if (sha === null) entries.delete(foldPath(path));
      else add(entries, { path, content: await readBlob(files, id, sha), instruction: pc, turn });
    }
  }
  return entries;
}

interface Written {
  path: string;
  content: Uint8Array;
  instruction: number;
  turn: number;
}

function add(entries: Entries, { path, content, instruction, turn }: Written): void {
  const entry = entryOf(path, { content, sha256: sha256(content) }, { instruction, turn });
  entries.set(foldPath(path), entry);
}
