/** The names of programs: an item for each, under its owner. The bytes are in the file store. */
import * as z from "zod";
import type { Condition, ItemKey, Table } from "../core/ports.ts";
import { ProgramName } from "../core/program/named-programs.ts";

export const StoredProgramName = ProgramName.extend({
  /** Where its bytes are. Each put has a place of its own. */
  body: z.string(),
});
export type StoredProgramName = z.infer<typeof StoredProgramName>;

const PREFIX = "NAME#";
const nameKey = (owner: string, name: string): ItemKey => ({ pk: `PROGRAMS#${owner}`, sk: `${PREFIX}${name}` });

export async function programNames(table: Table, owner: string): Promise<StoredProgramName[]> {
  const items = await table.query(nameKey(owner, "").pk, { prefix: PREFIX });
  return items.map((item) => StoredProgramName.parse(item));
}

export async function programNamed(table: Table, owner: string, name: string): Promise<StoredProgramName | undefined> {
  const item = await table.get(nameKey(owner, name));
  return item && StoredProgramName.parse(item);
}

/** Answers false where the name has another program than `was` by now. */
export async function putProgramName(
  table: Table,
  { owner, entry, was }: { owner: string; entry: StoredProgramName; was: StoredProgramName | undefined },
): Promise<boolean> {
  const when = was ? isStill(was) : [{ item: "absent" } as const];
  const { ok } = await table.transact([{ put: { ...nameKey(owner, entry.name), ...entry }, when }]);
  return ok;
}

export async function removeProgramName(table: Table, owner: string, was: StoredProgramName): Promise<boolean> {
  const { ok } = await table.transact([{ delete: nameKey(owner, was.name), when: isStill(was) }]);
  return ok;
}

const isStill = ({ body }: StoredProgramName): Condition[] => [{ attribute: "body", is: body }];
