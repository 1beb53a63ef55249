/** A healthy project: what must be found so after every attack. */
import { lines } from "./attack.ts";

export const healthyFiles: Record<string, string> = {
  "calc.py": lines("def add(a, b):", "    return a + b"),
  "test_calc.py": lines(
    "import unittest",
    "from calc import add",
    "",
    "",
    "class AddTest(unittest.TestCase):",
    "    def test_add(self):",
    "        self.assertEqual(add(1, 2), 3)",
    "",
    "    def test_add_wrong(self):",
    "        self.assertEqual(add(1, 2), 4)",
  ),
  "twice.js": lines("exports.twice = (n) => 2 * n;"),
  "twice.test.js": lines(
    'const test = require("node:test");',
    'const assert = require("node:assert");',
    'const { twice } = require("./twice.js");',
    'test("twice", () => assert.equal(twice(2), 4));',
  ),
};
