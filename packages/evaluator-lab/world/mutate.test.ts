import { expect, it } from "vitest";
import { mutantsOf } from "./mutate.ts";

const SOURCE = "def larger(a, b):\n    # a == b\n    if a == b:\n        return a\n    return max(a, b)\n";

it("breaks one line of a source file, the same for the same seed", () => {
  const files = new Map([["src/a.py", SOURCE]]);
  const [one, ...others] = mutantsOf(files, 7, 1);
  expect(others).toEqual([]);
  expect(mutantsOf(files, 7, 1)).toEqual([one]);
  const differing = SOURCE.split("\n").filter((line, at) => line !== one?.content.split("\n")[at]);
  expect(differing).toHaveLength(1);
  expect(one?.what).toContain(`src/a.py:${one?.line} `);
});

it("names every possible change once, and no comment", () => {
  const found = mutantsOf(new Map([["src/a.py", SOURCE]]), 1, 100).map(({ line }) => line);
  expect(found.toSorted()).toEqual([3, 4]);
});

it.each(["tests/test_a.py", "a_test.go", "src/a.test.ts", "docs/a.py", "conftest.py", "a.d.ts", "test.js", "a.json"])(
  "leaves %s alone",
  (path) => {
    expect(mutantsOf(new Map([[path, SOURCE]]), 1, 10)).toEqual([]);
  },
);
