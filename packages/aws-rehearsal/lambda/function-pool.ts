/** The warm processes of a function: one invocation at a time, never shared by two tenants. */
import type { FunctionProcess } from "./function-process.ts";

export interface Pool {
  /** Of the tenant, if there are tenants. `isCold`: not used yet. */
  take(tenantId: string | undefined): Promise<{ process: FunctionProcess; isCold: boolean }>;
  giveBack(tenantId: string | undefined, process: FunctionProcess): void;
  /** Invocations at this moment. */
  busy(): number;
  /** The processes of those. */
  atWork(): FunctionProcess[];
  stop(): Promise<void>;
}

export function createPool(start: (tenantId: string | undefined) => Promise<FunctionProcess>): Pool {
  const all = new Set<FunctionProcess>();
  const warm = new Map<string | undefined, FunctionProcess[]>();
  let busy = 0;
  return {
    async take(tenantId) {
      const waiting = (warm.get(tenantId) ?? []).filter((process) => process.isAlive());
      const found = waiting.pop();
      warm.set(tenantId, waiting);
      busy += 1;
      if (found) return { process: found, isCold: false };
      const process = await start(tenantId);
      all.add(process);
      return { process, isCold: true };
    },
    giveBack(tenantId, process) {
      busy -= 1;
      if (process.isAlive()) warm.set(tenantId, [...(warm.get(tenantId) ?? []), process]);
      else all.delete(process);
    },
    busy: () => busy,
    atWork() {
      const idle = [...warm.values()].flat();
      return [...all].filter((process) => !idle.includes(process));
    },
    async stop() {
      await Promise.all([...all].map((process) => process.stop()));
      all.clear();
    },
  };
}
