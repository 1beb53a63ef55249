import { defineConfig } from "vitest/config";
import { saySkipped } from "./test/say-skipped.ts";

export default defineConfig({
  test: {
    include: ["{bin,lib,lambdas,test}/**/*.test.ts"],
    // For what hangs; real runners on a busy machine take their time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: "forks",
    maxWorkers: 2,
    reporters: ["default", saySkipped],
  },
});
