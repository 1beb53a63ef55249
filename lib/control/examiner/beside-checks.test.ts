import { describe, expect, it } from "vitest";
import { besideProblem } from "./beside-checks.ts";

describe("a new file beside the checks of an examiner", () => {
  it.each([
    ["tests/helpers/__init__.py", "tests/helpers.py"],
    ["test/lib.js", "test/lib/index.js"],
    ["test/lib/package.json", "test/lib/index.js"],
    ["test/helpers.js", "test/helpers.ts"],
    ["Test/Helpers.json", "test/helpers.ts"],
    ["tests/decimal.py", "tests/test_price.py"],
    ["test/helpers.js", "test/price.test.js"],
    ["tests/__init__.py", "tests/test_price.py"],
    ["conftest.py", "tests/test_price.py"],
    ["tests.py", "tests/test_price.py"],
  ])("is refused where it could be loaded in its place: %s for %s", (path, locked) => {
    expect(besideProblem(path, [locked])).toContain(`(${locked}): it was not written.`);
  });

  it.each([
    ["tests/test_total.py", "tests/test_price.py"],
    ["test/total.test.js", "test/price.test.js"],
    ["test/own/helpers.js", "test/price.test.js"],
    ["src/price.js", "src/price.test.js"],
    ["price.go", "price_test.go"],
    ["docs/helpers.md", "test/helpers.js"],
    ["tests/helpers/README.md", "tests/helpers.py"],
    ["tests/own/conftest.py", "tests/price/test_price.py"],
  ])("is written where it could not: %s beside %s", (path, locked) => {
    expect(besideProblem(path, [locked])).toBeUndefined();
  });
});
