/** Storage every call of which goes through a wrapper: to be counted, held up, refused, or never answered. */
import type { Storage } from "../../lib/local/machine.ts";

export type Wrap = <Given extends unknown[], Answer>(
  call: (...given: Given) => Promise<Answer>,
) => (...given: Given) => Promise<Answer>;

/** The caller closes the storage. */
export const wrapStorage = ({ table, files }: Storage, wrap: Wrap): Storage => ({
  table: {
    get: wrap(table.get),
    query: wrap(table.query),
    index: wrap(table.index),
    transact: wrap(table.transact),
    close() {},
  },
  files: {
    put: wrap(files.put),
    putOnce: wrap(files.putOnce),
    get: wrap(files.get),
    remove: wrap(files.remove),
    removeAll: wrap(files.removeAll),
  },
});
