/** Storage of a process that is killed at its n-th call of a port: before the call took effect, or just after it. */

import { createMemoryFiles } from "../../lib/host/memory-files.ts";
import { openSqliteTable } from "../../lib/host/sqlite-table.ts";
import type { Storage } from "../../lib/local/machine.ts";
import { wrapStorage } from "./wrapped-storage.ts";

/** What outlives every process. */
export const lastingStorage = (): Storage => ({ table: openSqliteTable(":memory:"), files: createMemoryFiles() });

export interface Death {
  call: number;
  when: "before" | "after";
}

export interface MortalStorage extends Storage {
  calls(): number;
  isDead(): boolean;
}

/** The same storage as a process sees it that dies; from then on every call fails. */
export function mortalStorage(lasting: Storage, death: Death, onDeath: () => void = () => {}): MortalStorage {
  let calls = 0;
  let dead = false;

  function die(): never {
    dead = true;
    onDeath();
    throw new Error("process killed");
  }
  const mortal =
    <Given extends unknown[], Answer>(call: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      if (dead) throw new Error("process killed");
      calls += 1;
      const last = calls === death.call;
      if (last && death.when === "before") die();
      const answer = await call(...given);
      if (last) die();
      if (dead) throw new Error("process killed");
      return answer;
    };

  return { ...wrapStorage(lasting, mortal), calls: () => calls, isDead: () => dead };
}
