import { describe, expect, it } from "vitest";
import { locksAfter } from "./test-locks.ts";

const nothing = { locks: {}, changed: [], amended: [], gone: [] };

describe("versions of tests that stay locked", () => {
  it("are the oldest of each file", () => {
    const locks = locksAfter({ ...nothing, changed: [{ path: "test_a.py", sha256: "one" }] });
    expect(locks).toEqual({ "test_a.py": "one" });
    expect(locksAfter({ ...nothing, locks, changed: [{ path: "test_a.py", sha256: "two" }] })).toEqual(locks);
  });

  it("are let go by an amendment, and with their file", () => {
    const locks = { "test_a.py": "one", "test_b.py": "two", "test_c.py": "three" };
    expect(locksAfter({ ...nothing, locks, amended: ["test_a.py"], gone: ["test_b.py"] })).toEqual({
      "test_c.py": "three",
    });
  });

  it("are bounded: the longest locked are let go first", () => {
    const changed = Array.from({ length: 1_600 }, (_, at) => ({ path: `test_${at}.py`, sha256: "x" }));
    const locks = locksAfter({ ...nothing, changed });
    expect(Object.keys(locks)).toHaveLength(1_500);
    expect(locks).toHaveProperty(["test_1599.py"]);
  });
});
