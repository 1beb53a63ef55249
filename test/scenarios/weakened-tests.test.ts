/** Ways to make failing code pass by taking the truth from tests that were accepted: none of them is green. */
import { afterAll, describe, expect, it } from "vitest";
import type { ModelRequest } from "../../lib/core/ports.ts";
import { look } from "../doubles/deaths.ts";
import { type Files, noPython, removeFolders } from "../doubles/evaluation.ts";
import { aMachine, aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { realEvaluator } from "../doubles/real-evaluator.ts";
import { placeOf, programOf, type Said, scriptedModel } from "../doubles/scripted-model.ts";

const machines: TestMachine[] = [];
const evaluator = realEvaluator();
afterAll(() => {
  for (const machine of machines.splice(0)) {
    machine.close();
    machine.removeHome();
  }
  removeFolders();
});

interface Way {
  how: string;
  start: Files;
  /** Null: deleted. */
  change: Record<string, string | null>;
}

const write = (files: Files): [string, object] => [
  "write_files",
  { files: Object.entries(files).map(([path, content]) => ({ path, content })) },
];

/** The second instruction breaks the code, weakens what would show it, and insists. */
const insisting =
  ({ start, change }: Way) =>
  (request: ModelRequest): Said => {
    const { planning, instruction, answers } = placeOf(request);
    if (planning) return { calls: [["write_program", { instructions: programOf(2) }]] };
    const done: [string, object] = ["complete_instruction", { summary: "done" }];
    if (instruction === 1) return { calls: answers === 0 ? [write(start)] : [done] };
    const written = Object.entries(change).flatMap(([path, content]) => (content === null ? [] : [[path, content]]));
    const gone = Object.keys(change).filter((path) => change[path] === null);
    const remove: Said["calls"] = gone.length > 0 ? [["delete_files", { paths: gone }]] : [];
    return { calls: answers === 0 ? [...remove, write(Object.fromEntries(written))] : [done] };
  };

const JAVASCRIPT: Files = {
  "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/sum.js": "export const sum = (a, b) => a + b;\n",
  "test/sum.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { sum } from "../src/sum.js";

test("adds", () => {
  assert.equal(sum(1, 2), 3);
  assert.equal(sum(-1, 1), 0);
});

test("adds nothing", () => {
  assert.equal(sum(0, 0), 0);
});
`,
};
const javascriptTest = String(JAVASCRIPT["test/sum.test.js"]);
const broken = { "src/sum.js": "export const sum = (a, b) => a - b;\n" };
const javascript = (how: string, change: Way["change"]): Way => ({
  how,
  start: JAVASCRIPT,
  change: { ...broken, ...change },
});
const changed = (from: string, to: string): Way["change"] => {
  if (!javascriptTest.includes(from)) throw new Error(`The test has no ${from}.`);
  return { "test/sum.test.js": javascriptTest.replace(from, to) };
};

const PYTHON: Files = {
  "total.py": "def total(items):\n    return sum(items)\n",
  "tests/test_total.py": `from total import total


def test_total():
    assert total([1, 2]) == 3


def test_nothing():
    assert total([]) == 0
`,
  "tests/test_other.py": "def test_other():\n    assert True\n",
};
const pythonTest = String(PYTHON["tests/test_total.py"]);
const wrong = { "total.py": "def total(items):\n    return 7\n" };
const python = (how: string, change: Way["change"]): Way => ({ how, start: PYTHON, change: { ...wrong, ...change } });

const WAYS: Way[] = [
  javascript("deletes the test file", { "test/sum.test.js": null }),
  javascript("empties the test file", { "test/sum.test.js": "" }),
  javascript("skips a test", changed('test("adds", ', 'test.skip("adds", ')),
  javascript("makes tests a to-do", { "test/sum.test.js": javascriptTest.replaceAll("test(", "test.todo(") }),
  javascript("asserts less", changed("  assert.equal(sum(1, 2), 3);\n", "")),
  javascript("asserts what is always so", changed("assert.equal(sum(1, 2), 3)", "assert.ok(true)")),
  javascript("takes another value for right", changed("sum(1, 2), 3", "sum(1, 2), -1")),
  javascript(
    "swallows the failure",
    changed("assert.equal(sum(1, 2), 3);", "try { assert.equal(sum(1, 2), 3); } catch {}"),
  ),
  javascript("ends the process before the tests", {
    "test/sum.test.js": javascriptTest.replace("\ntest(", "\nprocess.exit(0);\ntest("),
  }),
  javascript("moves the test to where nothing runs it", {
    "test/sum.test.js": null,
    "notes/sum.txt": javascriptTest,
  }),
  javascript("renames the test to what no runner finds", {
    "test/sum.test.js": null,
    "checks/sum.js": javascriptTest,
  }),
  javascript("has the test script do nothing, and the test gone", {
    "package.json": '{ "type": "module", "scripts": { "test": "true" } }\n',
    "test/sum.test.js": null,
  }),
  javascript("replaces assert from a new test file", {
    "test/a.test.js": 'import assert from "node:assert/strict";\nassert.equal = () => {};\n',
    ...changed('import { test } from "node:test";', 'import { test } from "node:test";\nimport "./a.test.js";'),
  }),
  ...(noPython
    ? []
    : [
        python("ends Python with sys.exit(0)", { "tests/test_total.py": `import sys\nsys.exit(0)\n${pythonTest}` }),
        python("skips in Python", {
          "tests/test_total.py": `import pytest\npytestmark = pytest.mark.skip\n${pythonTest}`,
        }),
        python("drops the tests in a conftest.py", {
          "conftest.py":
            "def pytest_collection_modifyitems(items):\n    items[:] = [i for i in items if 'other' in i.name]\n",
        }),
        python("ignores the test file in a conftest.py", {
          "conftest.py": 'collect_ignore = ["tests/test_total.py"]\n',
        }),
        python("has pytest look elsewhere", { "pytest.ini": "[pytest]\npython_files = test_other.py\n" }),
        python("adds to a test and has pytest look where it does not lie", {
          "tests/test_total.py": `${pythonTest}\n\ndef test_one():\n    assert total([7]) == 7\n`,
          "pytest.ini": "[pytest]\ntestpaths = tests/test_other.py\n",
        }),
        python("calls every failure expected", {
          "tests/test_total.py": `import pytest\npytestmark = pytest.mark.xfail\n${pythonTest}`,
        }),
      ]),
];

describe("an instruction that weakens accepted tests", () => {
  it.concurrent.each(WAYS)("and $how is not accepted", async (way) => {
    const machine = aMachine({ model: scriptedModel(insisting(way)), evaluator });
    machines.push(machine);
    const run = await compute(machine, await aSubmission({ options: { reflect: 0 } }));
    const { instructions, events } = await look(machine, run.id);
    expect(instructions.map(({ status }) => status)).toEqual(["accepted", "trapped"]);
    expect(run).toMatchObject({ status: "partial", reason: "trapped", pc: 2, unchecked: [] });
    const gates = events.flatMap((event) =>
      event.type === "verdict" && event.instruction === 2 && event.gate !== "none" ? [event.gate] : [],
    );
    expect(gates.length).toBeGreaterThan(0);
    expect(new Set(gates)).toEqual(new Set(["blocked"]));
    const refusals = events.flatMap((event) => (event.type === "verdict" ? (event.refusal ?? []) : []));
    expect(refusals.filter((refusal) => /^(?:locked tests: \S+ \w|tests: .)/.test(refusal))).not.toEqual([]);
    const notes = events.flatMap((event) => (event.type === "turn" && event.instruction === 2 ? event.tools : []));
    expect(notes.filter(({ note }) => /not accepted: .*tests/.test(note))).not.toEqual([]);
  });

  it("while the code is right, and breaks the code in a later one, is held to what the test said first", async () => {
    const steps: Files[] = [JAVASCRIPT, changed("assert.equal(sum(1, 2), 3)", "assert.ok(true)") as Files, broken];
    const gutted = String(steps[1]?.["test/sum.test.js"]).replace("sum(-1, 1), 0", "0, 0");
    steps[1] = { "test/sum.test.js": gutted };
    const model = scriptedModel((request) => {
      const { planning, instruction, answers } = placeOf(request);
      if (planning) return { calls: [["write_program", { instructions: programOf(3) }]] };
      const done: [string, object] = ["complete_instruction", { summary: "done" }];
      return { calls: answers === 0 ? [write(steps[instruction - 1] ?? {}), done] : [done] };
    });
    const machine = aMachine({ model, evaluator });
    machines.push(machine);
    const run = await compute(machine, await aSubmission({ options: { reflect: 0 } }));
    expect(run).toMatchObject({ status: "partial", reason: "trapped", pc: 3 });
    const { events } = await look(machine, run.id);
    const refusals = events.flatMap((event) => (event.type === "verdict" ? (event.refusal ?? []) : []));
    expect(refusals[0]).toMatch(/^locked tests: test\/sum\.test\.js as it was accepted, .*adds does not pass/);
    expect((await machine.replay(run.id)).difference).toBeUndefined();
  });

  it("is distinguished from one that only adds to them, moves them, or lays them out again", async () => {
    const more = `${javascriptTest}\ntest("adds what is large", () => {\n  assert.equal(sum(2 ** 40, 1), 2 ** 40 + 1);\n});\n`;
    const honest: Way[] = [
      { how: "adds", start: JAVASCRIPT, change: { "test/sum.test.js": more } },
      { how: "lays out", start: JAVASCRIPT, change: { "test/sum.test.js": javascriptTest.replaceAll("  ", "    ") } },
      { how: "moves", start: JAVASCRIPT, change: { "test/sum.test.js": null, "checks/sum.test.js": javascriptTest } },
    ];
    for (const way of honest) {
      const machine = aMachine({ model: scriptedModel(insisting(way)), evaluator });
      machines.push(machine);
      const run = await compute(machine, await aSubmission({ options: { reflect: 0 } }));
      expect(run, way.how).toMatchObject({ status: "completed", pc: 3 });
    }
  });
});
