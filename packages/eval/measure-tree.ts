/** What the paper counts of a codebase besides its features: errors that a syntax check finds, and its own tests. */
import { randomUUID } from "node:crypto";
import type { Evaluator } from "../../lib/core/ports.ts";
import { packTree } from "../../lib/pack/pack.ts";
import type { ResultLine } from "./result-lines.ts";

const MEASURE_MS = 300_000;

export async function measureTree(
  evaluator: Evaluator,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<Pick<ResultLine, "errors" | "ownTests">> {
  if (files.size === 0) return { errors: 0, ownTests: 0 };
  const runId = randomUUID();
  const pack = packTree(
    undefined,
    [...files].map(([path, content]) => ({ path, content })),
  );
  try {
    const { syntax, tests } = await evaluator.evaluate({
      runId,
      base: { key: runId, load: async () => pack },
      changes: [],
      syntax: {},
      tests: {},
      install: false,
      timeoutMs: MEASURE_MS,
    });
    return { errors: syntax.errors.length, ownTests: tests.passed };
  } finally {
    await evaluator.release?.(runId);
  }
}
