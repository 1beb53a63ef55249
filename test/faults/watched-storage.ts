/**
 * Table and file store that outlive every process, watched at each write: who may write what is the invariants' to
 * say, and what breaks one is noted with its name.
 */
import type { Item, Table, Write } from "../../lib/core/ports.ts";
import { isEnded, type Run } from "../../lib/core/run/run.ts";
import type { PathChange } from "../../lib/core/turn/turn.ts";
import type { Storage } from "../../lib/local/machine.ts";

/** The claims that a process holds, as its own writes made them: on the run, and on a lane. */
export interface Writer {
  claims: Map<string, Claim>;
}

interface Claim {
  epoch: number;
  attempt: number;
}

export interface Watched {
  lasting: Storage;
  /** The storage as one process writes to it. */
  as(writer: Writer): Storage;
}

export type Note = (invariant: string, what: string) => void;

export function watchStorage(lasting: Storage, note: Note): Watched {
  const { table, files } = lasting;
  const recordOf = async (runId: string, sk: string): Promise<Run | undefined> =>
    (await table.get({ pk: `RUN#${runId}`, sk })) as unknown as Run | undefined;

  const transactAs =
    (writer: Writer): Table["transact"] =>
    async (writes) => {
      const runId = runIdIn(writes);
      if (runId === undefined) return table.transact(writes);
      const record = recordIn(writes);
      const [before, lane] = await Promise.all([recordOf(runId, META), recordOf(runId, record)]);
      const written = await table.transact(writes);
      if (!written.ok) return written;
      const [after, own] = await Promise.all([recordOf(runId, META), recordOf(runId, record)]);
      const claims = isClaim(writes, record);
      const claim = claims ? undefined : writer.claims.get(record);
      if (before && lane && after)
        noteWrites({ writes, before: { ...before, attempt: lane.attempt }, after, claim }, note);
      if (claims && own && after) writer.claims.set(record, { epoch: after.epoch, attempt: own.attempt });
      if (after) await noteAccounts(table, after, { writes, note });
      await noteMissing(files, writes, note);
      return written;
    };

  /** What others may have read already keeps its bytes. */
  const putAs: Storage["files"]["put"] = async (key, bytes) => {
    const before = LASTING.test(key) ? await files.get(key) : undefined;
    if (before && Buffer.compare(before, bytes) !== 0) note("I1", `${key} was overwritten with other bytes`);
    return files.put(key, bytes);
  };
  const putOnceAs: Storage["files"]["putOnce"] = async (key, bytes) => {
    const before = await files.get(key);
    if (before && Buffer.compare(before, bytes) !== 0) note("I3", `${key} was to be written with other bytes`);
    return files.putOnce(key, bytes);
  };
  return {
    lasting,
    as: (writer) => ({
      table: { ...table, transact: transactAs(writer) },
      files: { ...files, put: putAs, putOnce: putOnceAs },
    }),
  };
}

/** What the registry names is stored before it is named. */
async function noteMissing(files: Storage["files"], writes: Write[], note: Note): Promise<void> {
  const turns = writes.flatMap((write) => ("put" in write && /^(TURN|AHEAD)#/.test(write.put.sk) ? [write.put] : []));
  const keys = turns.flatMap(({ answerKey, effectsKey }) => [answerKey, effectsKey]);
  for (const key of keys) {
    if (typeof key === "string" && !(await files.get(key))) note("I1", `${key} was named before it was stored`);
  }
}

const LASTING = /\/(blobs|journal|packs)\//;

const itemOf = (write: Write) =>
  "put" in write ? write.put : "update" in write ? write.update : "delete" in write ? write.delete : write.check;

function runIdIn(writes: Write[]): string | undefined {
  const owned = writes.map((write) => itemOf(write).pk).find((pk) => pk.startsWith("RUN#"));
  return owned?.slice("RUN#".length);
}

const META = "META";
const LANE = "LANE#";
/** What a lane has in flight when the run ends is paid all the same. */
const POOL = "POOL";
const writesMeta = (writes: Write[]): boolean =>
  writes.some((write) => !("check" in write) && itemOf(write).sk === META && itemOf(write).pk.startsWith("RUN#"));

/** The record whose attempt writes: a lane's, or that of the run itself. */
const recordIn = (writes: Write[]): string =>
  writes.map((write) => itemOf(write).sk).find((sk) => sk.startsWith(LANE)) ?? META;

/** Only a claim sets the attempt. */
const isClaim = (writes: Write[], record: string): boolean =>
  writes.some((write) => {
    const set = "put" in write ? write.put : "update" in write ? write.set : undefined;
    return itemOf(write).sk === record && set !== undefined && "attempt" in set;
  });

interface Change {
  writes: Write[];
  before: Run;
  after: Run;
  claim: Claim | undefined;
}

function noteWrites(change: Change, note: Note): void {
  const { before, after, claim, writes } = change;
  const what = writes
    .filter((write) => !("check" in write))
    .map((write) => itemOf(write).sk)
    .join(", ");
  const holds = !claim || (claim.epoch === before.epoch && claim.attempt === before.attempt);
  if (!holds) note("I3", `a zombie of ${nameOf(claim)} wrote ${what} in ${nameOf(before)}`);
  const settles = writes.some((write) => itemOf(write).sk === POOL) && !writesMeta(writes);
  if (isEnded(before.status) && after.epoch === before.epoch && !settles)
    note("I3", `${what} was written after the run had ended`);
  const turn = writes.find((write) => /^(TURN|AHEAD)#/.test(itemOf(write).sk));
  if (turn && before.cancelRequested) note("I3", `${what} was written after the run was cancelled`);
  noteAllOrNothing(writes, note);
}

const nameOf = ({ epoch, attempt }: Claim): string => `epoch ${epoch}, attempt ${attempt}`;

/** Directory entries change with the committed turn that changed them. */
function noteAllOrNothing(writes: Write[], note: Note): void {
  const entries = writes.filter((write) => itemOf(write).sk.startsWith("FILE#")).length;
  const turns = writes.flatMap((write) => ("put" in write && write.put.sk.startsWith("TURN#") ? [write.put] : []));
  const changes = turns.flatMap((turn: Item) => turn.changes as unknown as PathChange[]);
  const paths = new Set(changes.map(({ path }) => path)).size;
  if (entries !== paths) note("I2", `${entries} directory entries were written with ${paths} changed paths of a turn`);
  const events = writes.some((write) => itemOf(write).sk.startsWith("EVENT#"));
  const committed = turns.some((turn) => turn.state === "committed");
  if (committed && !events) note("I2", "a turn was committed without its event");
}

/** Of the run and all its lanes together; and no two lanes have the same instruction. */
async function noteAccounts(table: Table, run: Run, { writes, note }: { writes: Write[]; note: Note }): Promise<void> {
  if ((run.options.parallel ?? 1) === 1) return noteCeilings(run, note);
  if (!writes.some((write) => /^(POOL|LANE)/.test(itemOf(write).sk))) return;
  const pk = `RUN#${run.id}`;
  const [pool, lanes] = await Promise.all([table.get({ pk, sk: POOL }), table.query(pk, { prefix: LANE })]);
  const sum = (name: string): number =>
    [run as unknown as Item, ...lanes].reduce((all, each) => all + numberIn(each, name), 0);
  const spent = (name: "microUsd" | "inputTokens" | "outputTokens"): number => run[name] + numberIn(pool, name);
  noteCeilings(
    {
      options: run.options,
      ...{ microUsd: spent("microUsd"), inputTokens: spent("inputTokens"), outputTokens: spent("outputTokens") },
      ...{ reservedMicroUsd: sum("reservedMicroUsd"), reservedTokens: sum("reservedTokens") },
    },
    note,
  );
  const taken = lanes.map((lane) => numberIn(lane, "pc")).filter((pc) => pc > 0);
  if (new Set(taken).size < taken.length) note("I3", `two lanes have the same instruction: ${taken.join(", ")}`);
}

const numberIn = (item: Item | undefined, name: string): number => Number(item?.[name] ?? 0);

type Accounts = Pick<
  Run,
  "options" | "microUsd" | "reservedMicroUsd" | "inputTokens" | "outputTokens" | "reservedTokens"
>;

function noteCeilings(
  { options, microUsd, reservedMicroUsd, inputTokens, outputTokens, reservedTokens }: Accounts,
  note: Note,
): void {
  const { usd, tokens } = options.budget;
  const spent = microUsd + reservedMicroUsd;
  if (usd !== undefined && spent > Math.floor(usd * 1e6)) note("I4", `${spent} micro-dollars of ${usd} dollars`);
  const used = inputTokens + outputTokens + reservedTokens;
  if (tokens !== undefined && used > tokens) note("I4", `${used} tokens of ${tokens}`);
}
