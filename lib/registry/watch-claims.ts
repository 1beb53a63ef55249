/** Shows which run is computed from now on. */
import type { Run } from "../core/run/run.ts";
import type { Registry } from "./registry.ts";

export const watchClaims = (registry: Registry, show: (run: Run) => void): Registry => ({
  ...registry,
  async claim(runId, epoch) {
    const run = await registry.claim(runId, epoch);
    show(run);
    return run;
  },
});
