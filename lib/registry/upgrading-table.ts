/** The door of the registry: records of earlier versions are upgraded when they are read, those of newer ones left alone. */
import type { Condition, Item, ItemKey, Table, Write, Written } from "../core/ports.ts";
import { isOfThisFormat, ofThisFormat, type Upgrades, upgradeRecord, withFormat } from "./upgrade.ts";

/** Nothing is rewritten until it changes: what is only read is upgraded in memory. */
export const createUpgradingTable = (table: Table, upgrades: Upgrades): Table => ({
  async get(key) {
    const item = await table.get(key);
    return item && upgradeRecord(item, upgrades);
  },
  async query(pk, range) {
    const items = await table.query(pk, range);
    return items.map((item) => upgradeRecord(item, upgrades));
  },
  // Keys alone: what they name is read from the table.
  index: table.index,
  async transact(writes) {
    const guarded = writes.map(guardFormat);
    const written = await table.transact(guarded);
    if (written.ok || !(await upgradeStored(table, refusedUpdates(writes, written), upgrades))) return written;
    return table.transact(guarded);
  },
});

/** An item that is put has the format of this version; a part of an item changes only in an item of this format. */
function guardFormat(write: Write): Write {
  if ("put" in write) return { ...write, put: withFormat(write.put) };
  if ("update" in write) return { ...write, when: [...(write.when ?? []), ...ofThisFormat(write.update)] };
  return write;
}

const refusedUpdates = (writes: Write[], { refused }: Extract<Written, { ok: false }>): ItemKey[] =>
  refused.flatMap((place) => {
    const write = writes[place];
    return write && "update" in write ? [write.update] : [];
  });

/** Answers whether an older record was stored in the format of this version, so that the write can be tried again. */
async function upgradeStored(table: Table, keys: ItemKey[], upgrades: Upgrades): Promise<boolean> {
  const upgraded: Write[] = [];
  for (const key of Object.keys(upgrades).length > 0 ? keys : []) {
    const item = await table.get(key);
    if (!item || isOfThisFormat(item)) continue;
    const put = upgradeRecord(item, upgrades);
    if (isOfThisFormat(put)) upgraded.push({ put, when: unchanged(item) });
  }
  return upgraded.length > 0 && (await table.transact(upgraded)).ok;
}

/** Every writer changes an attribute that an item has: a run its `updatedAt`, for one. */
const unchanged = ({ pk: _pk, sk: _sk, ...attributes }: Item): Condition[] =>
  Object.entries(attributes).map(([attribute, is]) => ({ attribute, is }));
