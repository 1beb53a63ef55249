/** Formats of the registry's records, and the functions that upgrade older ones. Pure. */
import type { Condition, Item, ItemKey } from "../core/ports.ts";

export type RecordKind =
  | "run"
  | "requirement"
  | "instruction"
  | "turn"
  | "file"
  | "event"
  | "baseline"
  | "locks"
  | "evidence"
  | "notification"
  | "lane"
  | "pool";

/** Makes a record of the next format. */
export type Upgrade = (record: Item) => Item;

/** By kind, and by the format of the record that is upgraded. */
export type Upgrades = Partial<Record<RecordKind, Readonly<Record<number, Upgrade>>>>;

/**
 * What this version reads and writes; older records are upgraded to the first. A run is of format 2 once it has packs of
 * changes, which earlier versions do not find: until then a function that is not updated yet can go on with it. It is
 * of format 3 if its program has more kinds than `do`, of which earlier versions would execute a part, and of format 4
 * if it asks for evidence, without which they would call it completed, or has several lanes, whose accounts they would
 * not find. It is of format 5 if strict evidence is its examiner's: they would count that of those who write the code.
 */
const FORMATS: Record<RecordKind, readonly [number, ...number[]]> = {
  run: [1, 2, 3, 4, 5],
  requirement: [1],
  instruction: [1],
  turn: [1],
  file: [1],
  event: [1],
  baseline: [1],
  locks: [1],
  evidence: [1],
  notification: [1],
  lane: [1],
  pool: [1],
};

/** A format that goes up adds its upgrade here: `run: { 1: (record) => ({ … }) }`. */
export const UPGRADES: Upgrades = {};

const KINDS: Readonly<Record<string, RecordKind>> = {
  META: "run",
  REQ: "requirement",
  INSTR: "instruction",
  TURN: "turn",
  FILE: "file",
  EVENT: "event",
  BASELINE: "baseline",
  LOCKS: "locks",
  EVID: "evidence",
  NOTIFY: "notification",
  AHEAD: "turn",
  LANE: "lane",
  POOL: "pool",
};

/**
 * Undefined: a record that belongs to no run. Versions share those while a stack is updated, so they keep one format and
 * may only gain attributes.
 */
export function kindOf({ pk, sk }: ItemKey): RecordKind | undefined {
  const end = sk.indexOf("#");
  const kind = end === -1 ? sk : sk.slice(0, end);
  return pk.startsWith("RUN#") && Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
}

const formatsOf = (key: ItemKey): readonly [number, ...number[]] => FORMATS[kindOf(key) ?? "run"];

/** The latest that this version reads. */
export const currentFormat = (key: ItemKey): number => Math.max(...formatsOf(key));

/** A record without a format is of format 1, as all were that the first versions wrote; a run always has one. */
export const formatOf = (item: Item): unknown => (kindOf(item) === "run" ? item.format : (item.format ?? 1));

export const isOfThisFormat = (item: Item): boolean => formatsOf(item).some((format) => format === formatOf(item));

/** With a format that this version writes: its own, where it has one of these. */
export function withFormat(item: Item, to?: number): Item {
  const kind = kindOf(item);
  const own = formatsOf(item).find((each) => each === formatOf(item));
  const format = to ?? own ?? formatsOf(item)[0];
  if (kind === undefined) return item;
  const { format: _before, ...rest } = item;
  return format === 1 && kind !== "run" ? (rest as Item) : { ...item, format };
}

/** What holds for a stored record of the format that this version writes. */
export function ofThisFormat(key: ItemKey): Condition[] {
  const kind = kindOf(key);
  if (kind === undefined) return [];
  const [first, ...others] = FORMATS[kind];
  if (others.length > 0) return [{ attribute: "format", among: [first, ...others] }];
  return [first === 1 && kind !== "run" ? { attribute: "format", missing: true } : { attribute: "format", is: first }];
}

/** The record in the format of this version. A newer one, and one that is too old, stay as they are. */
export function upgradeRecord(item: Item, upgrades: Upgrades): Item {
  const kind = kindOf(item);
  const from = formatOf(item);
  if (kind === undefined || typeof from !== "number") return item;
  let record = item;
  for (let format = from; format < FORMATS[kind][0]; format++) {
    const upgrade = upgrades[kind]?.[format];
    if (!upgrade) return item;
    record = withFormat(upgrade(record), format + 1);
  }
  return record;
}
