/** The billable usage of each function, as Lambda counts it. Pure. */
import type { FunctionDeclaration } from "./function-declaration.ts";
import type { Done } from "./function-process.ts";

export interface Usage {
  invocations: number;
  /** Of them: those that ended in an error. */
  errors: number;
  coldStarts: number;
  initMillis: number;
  /** Rounded up for each invocation; a cold start's own time is billed too. */
  billedMillis: number;
  gbSeconds: number;
}

export const nothingUsed: Usage = {
  ...{ invocations: 0, errors: 0, coldStarts: 0 },
  ...{ initMillis: 0, billedMillis: 0, gbSeconds: 0 },
};

export function addedTo(usage: Usage, { properties }: FunctionDeclaration, done: Done & { wasCold: boolean }): Usage {
  const initMillis = done.wasCold ? done.initMillis : 0;
  const billed = Math.max(1, Math.ceil(initMillis + done.millis));
  return {
    invocations: usage.invocations + 1,
    errors: usage.errors + Number(done.report.failed),
    coldStarts: usage.coldStarts + Number(done.wasCold),
    initMillis: usage.initMillis + initMillis,
    billedMillis: usage.billedMillis + billed,
    gbSeconds: usage.gbSeconds + (billed / 1_000) * (properties.MemorySize / 1_024),
  };
}
