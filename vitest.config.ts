import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { saySkipped } from "./test/say-skipped.ts";

/** They start real commands, servers, browsers and sandboxes, and wait for them: `npm run test:integration`. */
export const INTEGRATION = [
  "lib/cli/{,commands/,make/,runs/}*.test.ts",
  "packages/aws-rehearsal/**/*.test.ts",
  "packages/{eval,git,page}/test/**/*.test.ts",
  "test/{client,deployment,evaluator,faults,gallery,provenance,scenarios}/**/*.test.ts",
  "test/docs/{curl,verbatim}.test.ts",
  "test/foreign-text/*.test.ts",
  "test/{package,sandboxed-evaluation,scale,api/queue,cloud/{switches,without-local},install/action}.test.ts",
  "lib/cli/settings/{unsealed,webhook}.test.ts",
  "lib/cli/{display/{shell,stall-watch},inspect/show}.test.ts",
  "lib/evaluator/languages/{java/java,javascript/{install-node,javascript,typescript},php/php,ruby/ruby}.test.ts",
  "lib/evaluator/smoke/smoke.test.ts",
  "lib/sandbox/seal.test.ts",
  "lib/evaluator/{incremental/incremental-checks,packages/install}.test.ts",
  "lib/model/rehearsal/player.test.ts",
];

/** They change what a process has only one of: its environment, folder, clock, certificates or modules. */
export const APART = [
  "bin/*.test.ts",
  "lambdas/evaluate/*.test.ts",
  "lib/{host,sandbox}/**/*.test.ts",
  "lib/cli/display/{local-time,progress}.test.ts",
  "lib/evaluator/{evaluate,ready-checkers,process/*}.test.ts",
  "lib/files/{delivery,program-file,shared-tree}.test.ts",
  "lib/model/stream/stream.test.ts",
  "packages/page/browser/pause.test.ts",
  "lib/webhook/send.test.ts",
  "test/fuzz/*.test.ts",
];
/** A file with a pattern of the only tests to run: longer than a command line takes. */
const names = process.env.L2MAC_TEST_NAMES;
const UNIT = ["{bin,lib,lambdas,packages,test}/**/*.test.ts"];

export default defineConfig({
  test: {
    // For what hangs; real runners on a busy machine take their time.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    pool: "forks",
    maxWorkers: 2,
    reporters: ["default", saySkipped],
    ...(names ? { testNamePattern: readFileSync(names, "utf8").trim() } : {}),
    projects: [
      // Most load much and are done in a moment: they follow one another in a process that has it loaded.
      {
        extends: true,
        test: { name: "unit", include: UNIT, exclude: [...INTEGRATION, ...APART], isolate: false },
      },
      { extends: true, test: { name: "unit-apart", include: APART, exclude: INTEGRATION } },
      // Each file has its own modules, so that the handlers can be given their roles.
      { extends: true, test: { name: "integration", include: INTEGRATION, setupFiles: "test/roles/setup.ts" } },
    ],
  },
});
