/** Counts what one process has committed as spent, over all runs, since it was last asked. */
import type { Registry } from "./registry.ts";

export interface Meter {
  registry: Registry;
  /** In micro-dollars, since the last time. A call that a dead attempt left unsettled is not in it. */
  take(): number;
}

export function meter(registry: Registry): Meter {
  let spent = 0;
  return {
    registry: {
      ...registry,
      async commit(run, what) {
        const after = await registry.commit(run, what);
        spent += after.microUsd - run.microUsd;
        return after;
      },
    },
    take() {
      const taken = spent;
      spent = 0;
      return taken;
    },
  };
}
