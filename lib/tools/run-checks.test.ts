import { describe, expect, test } from "vitest";
import { createMemoryBench } from "../../test/servers/memory-bench.ts";
import { notRun } from "../core/verdict/verdict.ts";
import { runChecks } from "./run-checks.ts";

function checkingBench() {
  const asked: object[] = [];
  const tests = {
    ...notRun("").tests,
    status: "failed" as const,
    passed: 2,
    failed: 1,
    cases: [{ name: "adds", status: "failed" as const, message: "1 != 2" }],
  };
  const bench = createMemoryBench({
    files: { "src/a.js": "1", "src.md": "x", "test/a.test.js": "2" },
    check: async (wanted) => {
      asked.push(wanted);
      return { ...notRun(""), syntax: { status: "passed", errors: [] }, tests };
    },
  });
  return { asked, run: (given: object) => runChecks.call("1", JSON.stringify(given), bench) };
}

describe("run_checks", () => {
  test("checks syntax and tests of what is not known yet, and answers with the verdict in words", async () => {
    const { asked, run } = checkingBench();
    const result = await run({});
    expect(asked).toEqual([{ syntax: {}, tests: {}, incremental: true }]);
    expect(result).toMatchObject({ ok: true, note: "syntax ok · 2 passed · 1 failed", about: { kind: "verdict" } });
    expect(result.text).toContain("FAILED adds\n1 != 2");
  });

  test.each([
    [{ paths: ["src/a.js", "test/"] }, ["src/a.js", "test"]],
    [{ paths: "src" }, ["src"]],
    [{ path: "./src.md" }, ["src.md"]],
  ])("with %j checks only those files and folders", async (given, paths) => {
    const { asked, run } = checkingBench();
    await run(given);
    expect(asked).toEqual([{ syntax: { paths }, tests: { paths } }]);
  });

  test.each([[{ paths: [] }], [{ paths: null }], [{ paths: ["."] }], [{ paths: "./" }]])(
    "with %j checks what is not known yet",
    async (given) => {
      const { asked, run } = checkingBench();
      await run(given);
      expect(asked).toEqual([{ syntax: {}, tests: {}, incremental: true }]);
    },
  );

  test("checks nothing when a path is bad or not there", async () => {
    const { asked, run } = checkingBench();
    expect((await run({ paths: ["src/b.js"] })).text).toContain("There is no file src/b.js");
    expect((await run({ paths: ["/src"] })).ok).toBe(false);
    expect(asked).toEqual([]);
  });
});
