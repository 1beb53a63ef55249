/** What a run may take over of another one, copied beside its task: the other run can be deleted then. */
import { defined } from "../../core/defined.ts";
import type { InheritedAnswer } from "../../core/make/inherited-steps.ts";
import type { FileStore } from "../../core/ports.ts";
import type { Step } from "../../core/step/step.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { readBlob } from "../files/verified-read.ts";
import { INHERITANCE, INHERITED } from "../turn/body-kinds.ts";
import { bodyOf, readBody } from "../turn/journal.ts";

export interface Inheriting {
  from: string;
  strict: boolean;
  /** So many steps by the plan. */
  taken?: number;
  /** By what their instruction says. */
  steps: ReadonlyMap<string, Step[]>;
  /** By what their question says. */
  answers?: ReadonlyMap<string, InheritedAnswer[]>;
  blob: (sha256: string) => Promise<Uint8Array>;
}

export async function storeInheritance(files: FileStore, runId: string, inheriting: Inheriting): Promise<void> {
  try {
    await store(files, runId, inheriting);
  } catch (error) {
    // The run is not there yet, and nothing else would remove what is stored of it.
    await files.removeAll(fileStoreKeys(runId).root).catch(() => {});
    throw error;
  }
}

async function store(files: FileStore, runId: string, inheriting: Inheriting): Promise<void> {
  const { from, strict, steps, answers = new Map(), blob } = inheriting;
  const keys = fileStoreKeys(runId);
  await inBatches([...blobsOf(inheriting)], async (sha) => files.putOnce(keys.blob(sha), await blob(sha)));
  await inBatches([...steps], ([own, same]) =>
    files.put(keys.inherited(own), bodyOf(INHERITED, { steps: same }).bytes),
  );
  await inBatches([...answers], ([own, same]) =>
    files.put(keys.inherited(own), bodyOf(INHERITED, { steps: [], answers: same }).bytes),
  );
  const owns = [...steps.keys(), ...answers.keys()];
  const index = { from, ...(strict ? { strict: true as const } : {}), ...defined({ taken: inheriting.taken }), owns };
  await files.put(keys.inheritance, bodyOf(INHERITANCE, index).bytes);
}

/** The same again, for a run that is computed once more. */
export async function readInheritance(files: FileStore, runId: string): Promise<Inheriting> {
  const keys = fileStoreKeys(runId);
  const { from, strict = false, taken, owns } = await readBody(files, { key: keys.inheritance }, INHERITANCE);
  const steps = new Map<string, Step[]>();
  const answers = new Map<string, InheritedAnswer[]>();
  await inBatches(owns, async (own) => {
    const read = await readBody(files, { key: keys.inherited(own) }, INHERITED);
    if (read.answers) answers.set(own, read.answers);
    else steps.set(own, read.steps);
  });
  return { from, strict, ...defined({ taken }), steps, answers, blob: (sha) => readBlob(files, runId, sha) };
}

/** What was written, and for a merge what stood there before. */
export const blobsOf = ({ steps, answers = new Map() }: Pick<Inheriting, "steps" | "answers">): Set<string> =>
  new Set(
    [
      ...[...steps.values()].flat().flatMap(({ record }) => record.writes.flatMap(({ sha256, was }) => [sha256, was])),
      ...[...answers.values()].flat().map(({ sha256 }) => sha256),
    ].filter((sha) => sha !== null),
  );

const AT_ONCE = 32;

async function inBatches<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE) {
    await Promise.all(items.slice(start, start + AT_ONCE).map(work));
  }
}
