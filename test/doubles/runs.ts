/** A run that was just created, for tests that need one. */
import { NOTHING_DONE } from "../../lib/control/lifecycle/submit.ts";
import type { Run } from "../../lib/core/run/run.ts";

export const aRun = (over: Partial<Run> = {}): Run => ({
  format: 1,
  id: "01TESTRUN",
  owner: "local",
  name: "test",
  title: "A test",
  status: "queued",
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  options: { domain: "codebase", reflect: 1, runTests: true, install: false, budget: {} },
  profile: {
    model: "test",
    contextWindow: 128_000,
    maxOutputTokens: 16_384,
    price: { input: 0, output: 0 },
    convention: "native",
    outputLimit: "max_tokens",
    temperature: true,
    parallelToolCalls: true,
    requiredToolChoice: false,
  },
  ...NOTHING_DONE,
  ...over,
});
