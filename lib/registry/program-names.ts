/** The names of programs: an item for each, under its owner. The bytes are in the file store. */
import type { Condition, ItemKey, Table } from "../core/ports.ts";
import { StoredProgramName } from "../core/program/named-programs.ts";

const PREFIX = "NAME#";
const nameKey = (owner: string, name: string): ItemKey => ({ pk: `PROGRAMS#${owner}`, sk: `${PREFIX}${name}` });

/** `was`: what the name had; a write answers false where it has another program by now. */
export const createProgramNames = (table: Table) => ({
  async programNames(owner: string): Promise<StoredProgramName[]> {
    const items = await table.query(nameKey(owner, "").pk, { prefix: PREFIX });
    return items.map((item) => StoredProgramName.parse(item));
  },

  async programNamed(owner: string, name: string): Promise<StoredProgramName | undefined> {
    const item = await table.get(nameKey(owner, name));
    return item && StoredProgramName.parse(item);
  },

  async putProgramName({ owner, entry, was }: NamePut): Promise<boolean> {
    const when = was ? isStill(was) : [{ item: "absent" } as const];
    const { ok } = await table.transact([{ put: { ...nameKey(owner, entry.name), ...entry }, when }]);
    return ok;
  },

  async removeProgramName(owner: string, was: StoredProgramName): Promise<boolean> {
    const { ok } = await table.transact([{ delete: nameKey(owner, was.name), when: isStill(was) }]);
    return ok;
  },
});

export interface NamePut {
  owner: string;
  entry: StoredProgramName;
  was: StoredProgramName | undefined;
}

const isStill = ({ body }: StoredProgramName): Condition[] => [{ attribute: "body", is: body }];
