/** The registry's table with DynamoDB's limits: transactions that meet on an item conflict, partitions are throttled. */
import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { transactionPasses } from "../../lib/aws/dynamo-cancelled.ts";
import { RETRY_POLICY } from "../../lib/aws/dynamo-table.ts";
import { createRetry } from "../../lib/aws/retry.ts";
import type { Clock, Item, ItemKey, Table, Write, Written } from "../../lib/core/ports.ts";
import { accepts, applyWrite, keyOf } from "../../lib/core/store/conditions.ts";
import { indexAttributes, indexEntry } from "../../lib/core/store/table-indexes.ts";
import { assertTransaction } from "../../lib/core/store/transaction-rules.ts";
import { metaKey, runKey } from "../../lib/registry/keys.ts";
import { chargesOf, createCapacity } from "./capacity.ts";

/** How long a transaction holds its items. */
const LOCK_MS = { least: 8, most: 25 };
const READ_MS = 4;

const nameOf = ({ pk, sk }: ItemKey): string => `${pk}\n${sk}`;

export function createLimitedTable({ clock, random }: { clock: Clock; random: () => number }) {
  const items = new Map<string, Item>();
  const indexed = new Map<string, Item>();
  const partitions = new Map<string, Set<string>>();
  const locked = new Set<string>();
  const capacity = createCapacity();
  const counts = { transactions: 0, tries: 0, conflicts: 0, throttled: 0, givenUp: 0 };
  const retry = createRetry({ clock, random }, RETRY_POLICY);

  async function attempt(writes: Write[]): Promise<Written> {
    counts.tries += 1;
    const names = writes.map((write) => nameOf(keyOf(write)));
    if (names.some((name) => locked.has(name))) {
      counts.conflicts += 1;
      await clock.sleep(LOCK_MS.least);
      throw cancelled("TransactionConflict");
    }
    const planned = writes.map((write, place) => ({ write, before: items.get(names[place] ?? "") }));
    const refused = planned.flatMap(({ write, before }, place) => (accepts(write, before) ? [] : [place]));
    if (refused.length > 0) return { ok: false, refused };
    const changes = planned.map(({ write, before }, place) => ({
      ...{ name: names[place] ?? "", before },
      after: "check" in write ? before : applyWrite(write, before),
    }));
    if (
      !capacity.take(
        changes.flatMap(({ before, after }) => chargesOf(before, after)),
        clock.now(),
      )
    ) {
      counts.throttled += 1;
      throw cancelled("ThrottlingError");
    }
    for (const name of names) locked.add(name);
    await clock.sleep(LOCK_MS.least + random() * (LOCK_MS.most - LOCK_MS.least));
    for (const { name, after } of changes) store(name, after);
    for (const name of names) locked.delete(name);
    return { ok: true };
  }

  function store(name: string, item: Item | undefined): void {
    const [pk = ""] = name.split("\n");
    const partition = partitions.get(pk) ?? new Set();
    partitions.set(pk, partition);
    for (const map of [items, indexed]) map.delete(name);
    partition.delete(name);
    if (!item) return;
    items.set(name, item);
    partition.add(name);
    if (item.dueAt !== undefined) indexed.set(name, item);
  }

  const table: Table = {
    async get(key) {
      await clock.sleep(READ_MS);
      return items.get(nameOf(key));
    },
    async query(pk, { prefix, after = "", limit }) {
      await clock.sleep(READ_MS);
      const holds = (item: Item) => item.sk.startsWith(prefix) && item.sk > after;
      const found = [...(partitions.get(pk) ?? [])].flatMap((name) => items.get(name) ?? []);
      return sorted(found.filter(holds), ({ sk }) => sk).slice(0, limit);
    },
    async index(name, { partition, upTo, limit }) {
      await clock.sleep(READ_MS);
      const { partition: of, sort } = indexAttributes[name];
      const holds = (item: Item) => item[of] === partition && (upTo === undefined || String(item[sort]) <= upTo);
      const found = sorted([...indexed.values()].filter(holds), (item) => String(item[sort]));
      return { items: found.slice(0, limit).map((item) => indexEntry(name, item)) };
    },
    async transact(writes) {
      assertTransaction(writes);
      counts.transactions += 1;
      try {
        return await retry(() => attempt(writes), transactionPasses);
      } catch (error) {
        counts.givenUp += 1;
        throw error;
      }
    },
  };
  return {
    ...{ table, counts, capacity },
    /** Of a run that is over: only memory is saved, and nothing of it is written. */
    drop(runId: string): void {
      for (const name of partitions.get(runKey(runId)) ?? []) for (const map of [items, indexed]) map.delete(name);
      partitions.delete(runKey(runId));
    },
    turnsOf: (runId: string): number => Number(items.get(nameOf(metaKey(runId)))?.turns ?? 0),
  };
}

const sorted = (items: Item[], by: (item: Item) => string): Item[] =>
  items.sort((one, other) => (by(one) < by(other) ? -1 : 1));

const cancelled = (Code: string): TransactionCanceledException =>
  new TransactionCanceledException({ message: Code, $metadata: {}, CancellationReasons: [{ Code }] });
