import { describe, expect, it } from "vitest";
import { notRun, type TestCase, type Verdict } from "../verdict.ts";
import { apartOpinion } from "./apart-opinion.ts";
import { type ApartTree, apartTree } from "./apart-tree.ts";
import type { ScriptFile } from "./script-runner.ts";
import { withCanaries } from "./turned-canaries.ts";

type Case = [name: string, status: TestCase["status"]];

function verdict(cases: Case[]): Verdict {
  const none = notRun("nothing_to_check");
  const count = (status: TestCase["status"]) => cases.filter(([, each]) => each === status).length;
  const counts = { passed: count("passed"), failed: count("failed"), errors: 0, skipped: 0 };
  const listed = cases.map(([name, status]) => ({ name, status }));
  return {
    ...none,
    tests: { ...none.tests, ...counts, status: counts.failed > 0 ? "failed" : "passed", cases: listed },
  };
}

function treeOf(own: Record<string, string>, { tests }: { tests: ScriptFile[] }): ApartTree {
  const tree = apartTree({ own: new Map(Object.entries(own)), others: [], tests, id: "0f" });
  if (typeof tree === "string") throw new Error(tree);
  return tree;
}

const GO = '// A test.\npackage a\n\nimport "testing"\n\nfunc TestOne(t *testing.T) {\n}\n';
const RUST = "use a::one;\n\n#[test]\nfn adds() {\n    assert_eq!(one(), 1);\n}\n";
const JAVA = "package a;\n\nimport org.junit.jupiter.api.Test;\n\nclass OneTest {\n    @Test\n    void adds() {}\n}\n";

describe("given tests of compiled languages", () => {
  const tests = [
    { path: "a/one_test.go", text: GO },
    { path: "tests/one.rs", text: RUST },
    { path: "src/test/java/a/OneTest.java", text: JAVA },
  ];
  const [inGo = "", inRust = "", inJava = ""] = treeOf({}, { tests }).canaries;
  const run: Case[] = [
    ["a > TestOne", "passed"],
    [`a > ${inGo}`, "failed"],
    ["tests/one.rs > adds", "passed"],
    [`tests/one.rs > ${inRust}`, "failed"],
    ["a.OneTest > adds", "passed"],
    [`a.OneTest > ${inJava}`, "failed"],
  ];
  const opinion = (cases: Case[]) => {
    const tree = treeOf({}, { tests });
    return apartOpinion(withCanaries(verdict(cases), tree.canaries), { ordinary: [], tree });
  };

  it("have tests among them that must fail", () => {
    const { laid, without, paths } = treeOf({ "own_test.go": "" }, { tests });
    expect(laid.map(({ path }) => path)).toEqual(["a/zz_0f0_test.go", "tests/one.rs", "src/test/java/a/OneTest.java"]);
    expect(laid[0]?.text).toContain("package a\n");
    expect(laid[1]?.text).toContain(`${RUST}\n#[test]\nfn ${inRust}()`);
    expect(laid[2]?.text).toContain(`class OneTest {\n    @org.junit.jupiter.api.Test\n    public void ${inJava}()`);
    expect(without).toEqual([]);
    expect(paths).toEqual([...tests.map(({ path }) => path), "a/zz_0f0_test.go"]);
  });

  it("have passed where those failed and the others passed", () => {
    expect(opinion(run)).toEqual({ status: "passed" });
  });

  it.each([
    ["a/one_test.go", inGo],
    ["tests/one.rs", inRust],
    ["src/test/java/a/OneTest.java", inJava],
  ])("are not what runs where the one in %s did not run", (path, canary) => {
    const seen = opinion(run.filter(([name]) => !name.endsWith(canary)));
    expect(seen).toMatchObject({ status: "failed", detail: expect.stringContaining(`${path} is not what runs`) });
  });

  it("have not run where one that the text has is in no report", () => {
    expect(opinion(run.slice(1))).toEqual({ status: "failed", detail: "a/one_test.go: TestOne did not run" });
  });

  it("are forged where one that must fail passes", () => {
    expect(opinion([...run.slice(0, -1), [`a.OneTest > ${inJava}`, "passed"]]).status).toBe("forged");
  });

  it.each(["abstract class OneTest {}", "interface OneTest {}"])("are left as they are where %s", (text) => {
    const unclear = [{ path: "src/test/java/a/OneTest.java", text }];
    expect(apartTree({ own: new Map(), others: [], tests: unclear, id: "0f" })).toMatch(/not plain/);
  });
});
