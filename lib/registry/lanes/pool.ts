/** The accounts of a run with several lanes: one item, which each of them changes by what it adds. */
import type { Condition, Item, Table, Write } from "../../core/ports.ts";
import { lanesOf, type Run } from "../../core/run/run.ts";
import { poolKey } from "../keys.ts";

const ACCOUNTS = ["turns", "calls", "microUsd", "inputTokens", "cachedTokens", "outputTokens"] as const;

export const isPooled = (run: Pick<Run, "options">): boolean => lanesOf(run) > 1;

/** With the accounts of all lanes. */
export async function withPool(table: Table, run: Run): Promise<Run> {
  return isPooled(run) ? withAccounts(run, await table.get(poolKey(run.id))) : run;
}

function withAccounts(run: Run, pool: Item | undefined): Run {
  if (!pool) return run;
  const accounts = Object.fromEntries(ACCOUNTS.map((name) => [name, run[name] + numberIn(pool, name)]));
  // A lane may have been the first to pay.
  const paid = run.models?.map((_, model) => (run.paid?.[model] ?? 0) + numberIn(pool, paidOf(model)));
  return { ...run, ...accounts, ...(paid?.some((amount) => amount > 0) || run.paid ? { paid } : {}) };
}

const paidOf = (model: number): string => `paid${model}`;
const numberIn = (item: Item, name: string): number => Number(item[name] ?? 0);

export const newPool = (runId: string): Item => ({
  ...poolKey(runId),
  ...Object.fromEntries(ACCOUNTS.map((name) => [name, 0])),
  committedMicroUsd: 0,
  committedTokens: 0,
  committedTurns: 0,
});

/** What a change of a run's or lane's accounts adds. `when`: of a reservation. */
export interface PoolChange {
  turns: number;
  when: Condition[];
}

export function poolWrites(before: Run, after: Run, { turns, when }: PoolChange): Write[] {
  const paid = (after.paid ?? []).map(
    (amount, model) => [paidOf(model), amount - (before.paid?.[model] ?? 0)] as const,
  );
  const added = [
    ...ACCOUNTS.map((name) => [name, after[name] - before[name]] as const),
    ...paid,
    ["committedMicroUsd", committedUsd(after) - committedUsd(before)] as const,
    ["committedTokens", committedTokens(after) - committedTokens(before)] as const,
    ["committedTurns", turns] as const,
  ].filter(([, amount]) => amount !== 0);
  if (added.length === 0 && when.length === 0) return [];
  return [{ update: poolKey(before.id), add: Object.fromEntries(added), ...(when.length > 0 ? { when } : {}) }];
}

export const isOfPool = (write: Write | undefined): boolean =>
  write !== undefined && "update" in write && write.update.sk === poolKey("").sk;

const committedUsd = ({ microUsd, reservedMicroUsd }: Run): number => microUsd + reservedMicroUsd;
const committedTokens = ({ inputTokens, outputTokens, reservedTokens }: Run): number =>
  inputTokens + outputTokens + reservedTokens;

/** The run's own record has none of these, which stay as they were when the pool was made; nor does its format change. */
export function withoutAccounts(set: Partial<Run>, before: Run): Partial<Run> {
  const rest = { ...set };
  for (const name of [...ACCOUNTS, "paid", "format"] as const) delete rest[name];
  return before.paid || !set.paid ? rest : { ...rest, paid: set.paid.map(() => 0) };
}

/** Conditions on accounts hold for the pool, if at all: other lanes change them at any time. */
export const ownConditions = (when: Condition[]): Condition[] =>
  when.filter((each) => !("attribute" in each && (ACCOUNTS as readonly string[]).includes(each.attribute)));
