/** What DynamoDB publishes: 1,000 write units a second for each partition, of a table or an index. No burst is granted. */
import type { IndexName, Item } from "../../lib/core/ports.ts";
import { indexAttributes, indexEntry } from "../../lib/core/store/table-indexes.ts";
import { itemBytes } from "../../lib/core/store/transaction-rules.ts";
import { shardOf } from "../../lib/registry/keys.ts";

const UNITS_PER_SECOND = 1_000;
/** Of a new on-demand table. */
const PARTITIONS = 4;

interface Charge {
  partition: string;
  units: number;
}

const partitionOf = (of: string, key: string): string => `${of} ${shardOf(key, PARTITIONS)}`;

/** A transaction writes each item twice; an index is written once for what leaves it and once for what enters. */
export function chargesOf(before: Item | undefined, after: Item | undefined): Charge[] {
  const pk = (after ?? before)?.pk ?? "";
  const largest = Math.max(sizeOf(before), sizeOf(after));
  const charges: Charge[] = [
    { partition: partitionOf("table", pk), units: 2 * Math.max(1, Math.ceil(largest / 1_024)) },
  ];
  for (const name of Object.keys(indexAttributes) as IndexName[]) {
    const [left, entered] = [entryOf(name, before), entryOf(name, after)];
    if (JSON.stringify(left) === JSON.stringify(entered)) continue;
    for (const entry of [left, entered]) {
      if (entry)
        charges.push({ partition: partitionOf(name, String(entry[indexAttributes[name].partition])), units: 1 });
    }
  }
  return charges;
}

/** A stored item is never changed, and is measured once. */
const sizes = new WeakMap<Item, number>();

function sizeOf(item: Item | undefined): number {
  if (!item) return 0;
  const size = sizes.get(item) ?? itemBytes(item);
  sizes.set(item, size);
  return size;
}

function entryOf(name: IndexName, item: Item | undefined): Item | undefined {
  const { partition, sort } = indexAttributes[name];
  return item && item[partition] !== undefined && item[sort] !== undefined ? indexEntry(name, item) : undefined;
}

export function createCapacity() {
  const used = new Map<string, { second: number; units: number }>();
  const peaks = new Map<string, number>();
  let total = 0;
  return {
    /** False: throttled, and nothing is taken. */
    take(charges: Charge[], now: number): boolean {
      const second = Math.floor(now / 1_000);
      const wanted = new Map<string, number>();
      for (const { partition, units } of charges) wanted.set(partition, (wanted.get(partition) ?? 0) + units);
      const takes = [...wanted].map(([partition, units]) => {
        const before = used.get(partition);
        return { partition, units: units + (before?.second === second ? before.units : 0), own: units };
      });
      if (takes.some(({ units }) => units > UNITS_PER_SECOND)) return false;
      for (const { partition, units, own } of takes) {
        used.set(partition, { second, units });
        peaks.set(partition, Math.max(peaks.get(partition) ?? 0, units));
        total += own;
      }
      return true;
    },
    total: () => total,
    /** Of the busiest partition, in a second. */
    peak: (of: "table" | IndexName): number =>
      Math.max(0, ...[...peaks].filter(([name]) => name.startsWith(`${of} `)).map(([, units]) => units)),
  };
}
