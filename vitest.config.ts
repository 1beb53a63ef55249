import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{bin,lib,lambdas,test}/**/*.test.ts"],
    testTimeout: 30_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
