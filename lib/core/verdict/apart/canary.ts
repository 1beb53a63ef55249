/** Tests of ours beside the given ones, which must fail: where one passes, what runs them is not what it says. Pure. */

import type { ScriptFile, ScriptRunner } from "./script-runner.ts";

/** Beside the first given test in Python. `id` is in no text that the run can read. */
export function pythonCanary(tests: ScriptFile[], id: string): ScriptFile | undefined {
  const [first] = tests;
  if (!first) return undefined;
  const path = `${folderOf(first.path)}test_${id}.py`;
  const inClass = [
    `class Test${id}(unittest.TestCase):`,
    "    def test_equal(self):",
    "        self.assertEqual(1, 2)",
  ];
  const head = ["import unittest", "", "", ...inClass, ""];
  if (!tests.some(({ text }) => /^(?:async )?def test/m.test(text))) return { path, text: head.join("\n") };
  const plain = [`def test_${id}_plain():`, `    assert len("${id}") == 0`, ""];
  const compiled = [`def test_${id}_compiled():`, `    exec("assert len('${id}') == 0")`, ""];
  return { path, text: [...head, "", ...plain, "", ...compiled].join("\n") };
}

/** Loads what the first given test loads of the project, so that its effects are there. */
export function scriptCanary(tests: ScriptFile[], runner: ScriptRunner, id: string): ScriptFile | undefined {
  const [first] = tests;
  if (!first) return undefined;
  const isCommon = /\.c[jt]s$/.test(first.path) || (/\brequire\(/.test(first.text) && !/^import\b/m.test(first.text));
  const bring = (what: string, from: string): string =>
    isCommon ? `const ${what.replace(" as ", ": ")} = require("${from}");` : `import ${what} from "${from}";`;
  const loads = [...first.text.matchAll(/(?:from|import|require\()\s*(["']\.{1,2}\/[^"'\\\n]+["'])/g)].map(
    ([, place]) => `  await import(${place}).catch(() => undefined);`,
  );
  const { head, name, lines } = {
    node: { head: [bring("assert", "node:assert"), bring("test", "node:test")], name: "test", lines: NODE },
    vitest: { head: [bring("{ expect, test }", "vitest")], name: "test", lines: EXPECT },
    jest: { head: [], name: "test", lines: EXPECT },
    mocha: { head: [bring("assert", "node:assert")], name: "it", lines: NODE },
  }[runner];
  const cases = lines.flatMap((line, at) => [`${name}("${id} ${at}", async () => {`, ...loads, `  ${line}`, "});"]);
  return { path: `${folderOf(first.path)}${nameFor(first.path, id)}`, text: `${[...head, "", ...cases].join("\n")}\n` };
}

const NODE = ["assert.strictEqual(1, 2);", "assert.deepStrictEqual([1], [2]);", 'throw new Error("it must fail");'];
const EXPECT = ["expect(1).toBe(2);", "expect([1]).toEqual([2]);", 'throw new Error("it must fail");'];

/** Named as that test is, so that it is found where that is found. */
function nameFor(path: string, id: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const end = /(?:[.\-_](?:test|spec))?(?:\.[cm]?[jt]sx?)$/.exec(name)?.[0] ?? ".test.js";
  return `${/^test-/.test(name) ? "test-" : ""}${id}${end}`;
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);
