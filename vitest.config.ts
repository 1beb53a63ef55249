import { defineConfig } from "vitest/config";
import { saySkipped } from "./test/say-skipped.ts";

/** They start real commands, servers, browsers and sandboxes, and wait for them: `npm run test:integration`. */
const INTEGRATION = [
  "lib/cli/{,commands/,runs/}*.test.ts",
  "test/{aws-rehearsal,browser,client,deployment,evaluator,faults,gallery,git,scenarios}/**/*.test.ts",
  "test/docs/verbatim.test.ts",
];

export default defineConfig({
  test: {
    // For what hangs; real runners on a busy machine take their time.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    pool: "forks",
    maxWorkers: 2,
    reporters: ["default", saySkipped],
    projects: [
      {
        extends: true,
        test: { name: "unit", include: ["{bin,lib,lambdas,test}/**/*.test.ts"], exclude: INTEGRATION },
      },
      { extends: true, test: { name: "integration", include: INTEGRATION } },
    ],
  },
});
