/** A reservation that the accounts of all lanes refused: whether the room may come back, and which ceiling has none. */
import type { Table } from "../../core/ports.ts";
import type { Ceiling } from "../../core/run/budget.ts";
import type { Run } from "../../core/run/run.ts";
import { poolKey } from "../keys.ts";

/** A condition of the reservation, and the ceiling that it keeps. */
export interface PoolLimit {
  ceiling: Exclude<Ceiling, "minutes">;
  attribute: string;
  atMost: number;
}

interface Holding {
  /** Undefined: other lanes were faster each time. */
  ceiling: PoolLimit["ceiling"] | undefined;
  /** Calls of other lanes are in flight, and what they leave comes back. */
  mayReturn: boolean;
}

/** Other lanes of the run hold what is left of a ceiling, or have spent it. */
export class Held extends Error {
  override readonly name = "L2mac.Held";
  readonly ceiling: Holding["ceiling"];
  readonly mayReturn: boolean;
  constructor({ id }: Pick<Run, "id">, { ceiling, mayReturn }: Holding) {
    super(`Run ${id}: its lanes hold what is left of ${ceiling ?? "its ceilings"}.`);
    this.ceiling = ceiling;
    this.mayReturn = mayReturn;
  }
}

/** Both are read at once: what was in flight has not failed in between. Answers if there is room now. */
export async function throwIfHeld(table: Table, run: Run, limits: PoolLimit[]): Promise<void> {
  const pool = await table.get(poolKey(run.id));
  const amount = (name: string): number => Number(pool?.[name] ?? 0);
  const failed = limits.find(({ attribute, atMost }) => amount(attribute) > atMost);
  if (!failed) return;
  const mayReturn =
    amount("committedTokens") > amount("inputTokens") + amount("outputTokens") ||
    amount("committedMicroUsd") > amount("microUsd");
  throw new Held(run, { ceiling: failed.ceiling, mayReturn });
}
