import { describe, expect, test } from "vitest";
import { createMemoryBench } from "../../test/servers/memory-bench.ts";
import { AMENDMENT_CHARS } from "../core/verdict/amendment.ts";
import { amendTest } from "./amend-test.ts";

describe("amend_test", () => {
  test("notes path and reason, in the run's form of a path, and says so to watchers", async () => {
    const bench = createMemoryBench();
    const result = await amendTest.call("1", '{"path":"./tests//test_a.py","reason":"the task says 3 now"}', bench);
    expect(result).toMatchObject({ ok: true, note: "amended tests/test_a.py: the task says 3 now" });
    expect(bench.amendments).toEqual([{ path: "tests/test_a.py", reason: "the task says 3 now" }]);
  });

  test.each([
    '{"file":"a_test.go","why":"other rules"}',
    '{"paths":["a_test.go"],"reason":"other rules"}',
    '{"path":"a_test.go","reason":"  other\\u001b[31m\\nrules\\u0000 "}',
  ])("reads %s as it is meant", async (given) => {
    const bench = createMemoryBench();
    expect(await amendTest.call("1", given, bench)).toMatchObject({ ok: true });
    expect(bench.amendments).toEqual([{ path: "a_test.go", reason: "other rules" }]);
  });

  test("keeps so much of a reason as people read", async () => {
    const bench = createMemoryBench();
    await amendTest.call("1", JSON.stringify({ path: "a", reason: "long ".repeat(1_000) }), bench);
    expect(bench.amendments[0]?.reason).toHaveLength(AMENDMENT_CHARS);
    expect(bench.amendments[0]?.reason).toMatch(/^long long .*…$/);
  });

  test.each([
    ['{"path":"tests/a.py"}', /reason is missing/],
    ['{"path":"tests/a.py","reason":" \\u0007 \\n"}', /the reason is empty\. Say in a sentence/],
    ['{"path":"../a.py","reason":"because"}', /leaves the run/],
    ['{"path":["tests/a.py","tests/b.py"],"reason":"because"}', /Accepted: /],
    ['{"path":"tests/a.py","reason":"because","force":true}', /force/],
  ])("refuses %s, and says what is wrong", async (given, problem) => {
    const bench = createMemoryBench();
    const result = await amendTest.call("1", given, bench);
    expect(result.ok).toBe(false);
    expect(result.text).toMatch(problem);
    expect(bench.amendments).toEqual([]);
  });

  test("answers what the run says against it", async () => {
    const bench = createMemoryBench({ amend: async ({ path }) => `${path} is not locked.` });
    const result = await amendTest.call("1", '{"path":"src/a.py","reason":"because"}', bench);
    expect(result).toMatchObject({ ok: false, text: "src/a.py is not locked." });
  });
});
