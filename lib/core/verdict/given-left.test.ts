import { describe, expect, it } from "vitest";
import { givenLeft, givenPartlyHeard, leftWords } from "./given-left.ts";
import { notRun, type TestCase, type Verdict } from "./verdict.ts";

function verdict(cases: [string, TestCase["status"]][], more = 0): Verdict {
  const none = notRun("nothing_to_check");
  const count = (status: TestCase["status"]) => cases.filter(([, each]) => each === status).length;
  const counts = { passed: count("passed") + more, skipped: count("skipped") };
  const listed = cases.map(([name, status]) => ({ name, status }));
  return { ...none, tests: { ...none.tests, status: "passed", ...counts, cases: listed } };
}
const left = (text: string, cases: [string, TestCase["status"]][], path = "tests/test_a.py") =>
  givenLeft({ verdict: verdict(cases), unseen: undefined, texts: new Map([[path, text]]) });

describe("given tests that did not run", () => {
  it("are those that were skipped, and those that no case has the name of", () => {
    const text = "def test_one():\n    pass\n\n\nasync def test_two():\n    pass\n\n\ndef test_three():\n    pass\n";
    const found = left(text, [
      ["tests/test_a.py::test_one", "skipped"],
      ["tests/test_a.py::test_two[1-a]", "passed"],
    ]);
    expect(found).toEqual({
      skipped: ["tests/test_a.py::test_one"],
      unheard: ["tests/test_a.py::test_three"],
      isMeant: false,
    });
    expect(found && leftWords(found)).toBe(
      "1 skipped: tests/test_a.py::test_one; 1 not run: tests/test_a.py::test_three",
    );
  });

  it("are none where all ran, or ran by their path", () => {
    expect(left("def test_one():\n    pass\n", [["tests/test_a.py::test_one", "passed"]])).toBeUndefined();
    const texts = new Map([["tests/test_a.py", "def test_one():\n    pass\n"]]);
    const [whole, unseen] = [verdict([]), verdict([["tests/test_a.py::test_one", "passed"]])];
    expect(givenLeft({ verdict: whole, unseen, texts })).toBeUndefined();
    expect(givenPartlyHeard(whole, texts)).toEqual([]);
  });

  it("may mean it, where their text has words for it", () => {
    const text = "@unittest.skipIf(WINDOWS)\ndef test_one():\n    pass\n";
    expect(left(text, [["tests/test_a.py::test_one", "skipped"]])?.isMeant).toBe(true);
  });

  it.each([
    ["@pytest.fixture\ndef test_client():\n    return 1\n"],
    ["class Base:\n    def test_inner(self):\n        pass\n"],
    ['TEXT = """\ndef test_text():\n    pass\n"""\n'],
    ["# def test_comment():\n"],
  ])("are not what only looks like a test: %j", (text) => {
    expect(left(`def test_one():\n    pass\n\n\n${text}`, [["tests/test_a.py::test_one", "passed"]])).toBeUndefined();
  });

  it("in scripts are known by names that are plain text", () => {
    const text = `describe("a", () => {\n  it("one", () => {});\n  it("two", () => {});\n  it(\`of \${name}\`, () => {});\n  const it = run("it('three')");\n});\n`;
    const found = left(text, [["test/a.test.js > a > one", "passed"]], "test/a.test.js");
    expect(found?.unheard).toEqual(["test/a.test.js > two"]);
  });

  it("are not missed where the verdict does not list all its cases", () => {
    const texts = new Map([["tests/test_a.py", "def test_one():\n    pass\n\ndef test_two():\n    pass\n"]]);
    const whole = verdict([["tests/test_a.py::test_one", "passed"]], 600);
    expect(givenLeft({ verdict: whole, unseen: undefined, texts })).toBeUndefined();
  });
});
