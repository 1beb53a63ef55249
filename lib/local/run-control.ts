/** What the API does to runs of this computer: through its machine, which holds each that it is to compute. */
import type { RunControl } from "../api/parts.ts";
import type { Resumption } from "../control/lifecycle/resumption.ts";
import type { Run } from "../core/run/run.ts";
import type { Machine } from "./machine.ts";

export interface RunControlParts {
  machine: Machine;
  /** Refuses a run that must not go on at the model server as it is now. */
  refuse: (run: Run) => void;
  /** Gets the id of each run that has begun, or goes on. */
  onBegun: (runId: string) => void;
}

export function createRunControl({ machine, refuse, onBegun }: RunControlParts): RunControl {
  const goOn = async (runId: string, begin: () => Promise<Run>, models?: Resumption["models"]): Promise<Run> => {
    const found = await machine.registry.run(runId);
    // Another model has a price of its own.
    if (found && !models) refuse(found);
    const run = await begin();
    onBegun(runId);
    return run;
  };
  return {
    async submit(submission) {
      const { newRun } = await import("../control/lifecycle/submit.ts");
      // A run that began where another one stood has the price of that one.
      refuse(newRun(submission, "", ""));
      const submitted = await machine.submitOnce(submission);
      if ("run" in submitted && submitted.isNew) onBegun(submitted.run.id);
      return submitted;
    },
    resume: (runId, resumption) => goOn(runId, () => machine.resume(runId, resumption), resumption.models),
    approve: (runId, program) => goOn(runId, () => machine.approve(runId, program)),
    revise: (runId, feedback) => goOn(runId, () => machine.revise(runId, feedback)),
    async answer(runId, given) {
      const found = await machine.registry.run(runId);
      if (found) refuse(found);
      const { run, isNew } = await machine.answer(runId, given);
      if (isNew) onBegun(runId);
      return run;
    },
    reject: machine.reject,
    cancel: machine.cancel,
    remove: machine.remove,
  };
}
