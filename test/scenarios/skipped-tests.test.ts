/** Tests that the code keeps from running, given or accepted ones: what is not executed is not passed. */
import { afterAll, describe, expect, it } from "vitest";
import { startingFiles } from "../../lib/control/gate/user-tests.ts";
import type { ModelRequest } from "../../lib/core/ports.ts";
import { builtInPacks } from "../../lib/files/prompt-folder.ts";
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

/** What each instruction writes; it completes as often as it takes. */
const writing =
  (program: Files[]) =>
  (request: ModelRequest): Said => {
    const { planning, instruction, answers } = placeOf(request);
    if (planning) return { calls: [["write_program", { instructions: programOf(program.length) }]] };
    const files = Object.entries(program[instruction - 1] ?? {}).map(([path, content]) => ({ path, content }));
    return { calls: [answers === 0 ? ["write_files", { files }] : ["complete_instruction", { summary: "done" }]] };
  };

async function computed(program: Files[], given?: Record<string, string>) {
  const model = scriptedModel(writing(program));
  const machine = aMachine({ model, evaluator });
  machines.push(machine);
  const { codebase: pack } = await builtInPacks();
  const tests = new Map(Object.entries(given ?? {}).map(([path, text]) => [path, new TextEncoder().encode(text)]));
  const submission = given ? startingFiles({ tests, pack, runTests: true }) : {};
  const options = { reflect: 0, from: given !== undefined };
  const run = await compute(machine, await aSubmission({ options, submission }));
  const { events } = await look(machine, run.id);
  const accepted = events.filter(({ type }) => type === "instruction_accepted");
  const said = model.requests.flatMap(({ messages }) => messages.map(({ content }) => content)).join("\n");
  return { run, said, unchecked: accepted.map((event) => "unchecked" in event && event.unchecked) };
}

const stuck = { status: "partial", reason: "trapped" };
const own = { "tests/test_own.py": "from roman import NAME\n\n\ndef test_name():\n    assert NAME == 'roman'\n" };
const roman = (...body: string[]): string =>
  ["import unittest", "", 'NAME = "roman"', "", "", "def to_roman(number):", ...body, ""].join("\n");
const RIGHT = roman('    return {1: "I", 4: "IV"}[number]');
const SKIPS = roman('    raise unittest.SkipTest(f"{number} is left for later")');
const GIVEN = {
  "tests/test_roman.py": `from roman import to_roman


def test_one():
    assert to_roman(1) == "I"


def test_four():
    assert to_roman(4) == "IV"
`,
};

const script = (code: string): Files => ({
  "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  "roman.js": `import { beforeEach } from "node:test";\n\nexport const NAME = "roman";\n${code}export const toRoman = String;\n`,
  "test/own.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { NAME } from "../roman.js";

test("name", () => assert.equal(NAME, "roman"));
`,
});
const GIVEN_SCRIPT = {
  "test/roman.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { toRoman } from "../roman.js";

test("one", () => assert.equal(toRoman(1), "I"));
test("four", () => assert.equal(toRoman(4), "IV"));
`,
};

describe("given tests that the code skips", () => {
  it.skipIf(noPython)("in Python are not passed: the run is stuck", async () => {
    const { run, said } = await computed([{ "roman.py": SKIPS, ...own }], GIVEN);
    expect(run).toMatchObject(stuck);
    expect(said).toContain("some were not executed: 2 skipped: tests/test_roman.py::test_one");
  });

  it.skipIf(noPython)("as an expected failure are not passed", async () => {
    const xfail = roman("    import pytest", '    pytest.xfail("later")');
    const manifest = { "requirements.txt": "pytest\n" };
    const { run, unchecked } = await computed([{ "roman.py": xfail, ...own, ...manifest }], GIVEN);
    expect([run.status, unchecked.includes(false)]).toEqual([expect.not.stringMatching("completed"), false]);
  });

  it.each(["todo", "skip"])("in JavaScript by %s are not passed", async (how) => {
    const code = `beforeEach((t) => {\n  if (!t.name.startsWith("name")) t.${how}("later");\n});\n`;
    const { run, unchecked } = await computed([script(code)], GIVEN_SCRIPT);
    expect([run.status, unchecked]).toEqual(["partial", []]);
  });

  it.skipIf(noPython)("are refused, and pass once the code is there", async () => {
    const program = [{ "roman.py": SKIPS, ...own }, { "roman.py": RIGHT }];
    const { run } = await computed(program, GIVEN);
    expect(run).toMatchObject({ status: "completed", givenTests: { passed: 2, total: 2 } });
  });
});

describe("given tests that leave themselves out", () => {
  it.skipIf(noPython)("by their own text are refused twice, and are unchecked then, never green", async () => {
    const later = `\n\n@unittest.skipIf(True, "not on this system")\ndef test_five():\n    assert to_roman(5) == "V"\n`;
    const given = { "tests/test_roman.py": `import unittest\n\n${GIVEN["tests/test_roman.py"]}${later}` };
    const { run, said, unchecked } = await computed([{ "roman.py": RIGHT, ...own }], given);
    expect([run.status, unchecked]).toEqual(["completed", [true]]);
    expect(run.unchecked).toEqual([expect.stringContaining("given tests: 1 skipped: tests/test_roman.py::test_five")]);
    expect(said).toContain("by their own text, call complete_instruction again");
  });

  it.skipIf(noPython)("by settings of the run are not green", async () => {
    const settings = { "pytest.ini": "[pytest]\naddopts = -k 'not four'\n" };
    const { run, unchecked } = await computed([{ "roman.py": SKIPS, ...own, ...settings }], GIVEN);
    expect(run.status).not.toBe("completed");
    const right = roman('    return {1: "I"}[number]');
    const silent = await computed([{ "roman.py": right, ...own, ...settings }], GIVEN);
    expect([unchecked, silent.unchecked]).toEqual([[], [true]]);
    expect(silent.run.unchecked).toEqual([
      expect.stringContaining("1 not run: tests/test_roman.py::test_four"),
      expect.stringContaining("tests/test_roman.py::test_four fails without pytest.ini"),
    ]);
  });
});

describe("accepted tests that the code skips later", () => {
  const first = { "roman.py": RIGHT, ...GIVEN, ...own };
  const trivial = (name: string) =>
    `def test_${name}():\n    assert True\n\n\ndef test_${name}_too():\n    assert True\n`;

  it.skipIf(noPython)("hold the instruction, though as many tests pass as before", async () => {
    const { run, said } = await computed([first, { "roman.py": SKIPS, "tests/test_new.py": trivial("new") }]);
    expect(run).toMatchObject({ ...stuck, pc: 2 });
    expect(said).toContain("tests/test_roman.py::test_one passed when it was accepted, and is skipped now");
  });

  it.skipIf(noPython)("hold it where their file was changed, too", async () => {
    const more = `${GIVEN["tests/test_roman.py"]}\n\n${trivial("more")}`;
    const now = { "roman.py": SKIPS, "tests/test_roman.py": more };
    const { run, said } = await computed([first, now]);
    expect(run).toMatchObject({ ...stuck, pc: 2 });
    expect(said).toContain("as it was accepted, tests/test_roman.py::test_one ran, and is skipped now");
  });

  it.skipIf(noPython)("hold it where settings deselect them and others stand in for them", async () => {
    const settings = { "pytest.ini": "[pytest]\naddopts = -k 'not four'\n" };
    const { run, said } = await computed([first, { ...settings, "tests/test_new.py": trivial("new") }]);
    expect(run).toMatchObject({ ...stuck, pc: 2 });
    expect(said).toContain("tests/test_roman.py::test_four passed when it was accepted, and is not run any more");
  });

  it.skipIf(noPython)("stay skipped where they were skipped when they were accepted", async () => {
    const windows = `import unittest\n\n\n@unittest.skip("only on Windows")\ndef test_drive():\n    assert False\n`;
    const tests = { ...first, "tests/test_windows.py": windows };
    const { run, unchecked } = await computed([
      tests,
      { "NOTES.md": "# Notes\n" },
      { "tests/test_windows.py": `${windows}\n\n${trivial("more")}` },
    ]);
    expect([run.status, unchecked]).toEqual(["completed", [false, false, false]]);
  });
});
