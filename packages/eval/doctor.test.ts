import { describe, expect, it } from "vitest";
import type { EvaluationRequest, Evaluator } from "../../lib/core/ports.ts";
import { notRun } from "../../lib/core/verdict/verdict.ts";
import { unpackTree } from "../../lib/pack/pack.ts";
import { examine } from "./doctor.ts";
import type { EvalCase, Suite } from "./suite.ts";

const suite: Suite = {
  ...{ name: "made", about: "made for this test", source: "this test", domain: "codebase", isDistinct: true },
  checker: { program: "node", script: "http.mjs" },
  load: async () => [],
};
const caseOf = (id: string): EvalCase => ({
  ...{ id, task: "", spec: { right: id }, seconds: 1 },
  oracle: { a: id },
  stub: { a: "stub" },
  forgeries: [{ a: "forged" }, { a: `like ${id}` }],
  hanging: { a: "hangs" },
});
const cases = [caseOf("one"), caseOf("two")];

type Answer = (tree: string, right: string) => [number, number, string[]];

/** As the checkers answer, without a process. */
function checking(answer: Answer, tamper = (line: string) => line): Evaluator {
  return {
    async evaluate({ base, command }: EvaluationRequest) {
      const { nonce, entries } = JSON.parse(command?.stdin ?? "");
      const files = unpackTree(await base.load());
      const answers = entries.map(({ folder, spec }: { folder: string; spec: { right: string } }) =>
        answer(new TextDecoder().decode(files.get(`${folder}/a`) ?? new Uint8Array()), spec.right),
      );
      const stdout = tamper(`${nonce} ${JSON.stringify(answers)}`);
      return { ...notRun("turned_off"), command: { status: "passed", exitCode: 0, stdout: `${stdout}\n`, stderr: "" } };
    },
  };
}

async function wrongProbes(evaluator: Evaluator): Promise<string[]> {
  const wrong: string[] = [];
  for await (const { probe, isRight } of examine({ suite, cases, evaluator })) if (!isRight) wrong.push(probe);
  return wrong;
}

describe("the doctor of suites", () => {
  it("finds nothing wrong with a checker that passes solutions alone", async () => {
    expect(await wrongProbes(checking((tree, right) => [tree === right ? 2 : 0, 2, []]))).toEqual([]);
  });

  it.each<[string, Answer, string[]]>([
    ["passes everything", () => [2, 2, []], ["nothing", "stub", "forgery", "hanging", "others"]],
    ["passes nothing", () => [0, 2, []], ["oracle"]],
    ["passes a solution in part", (tree, right) => [tree === right ? 1 : 0, 2, []], ["oracle"]],
    [
      "passes any tree that has files",
      (tree) => [tree === "" ? 0 : 2, 2, []],
      ["stub", "forgery", "hanging", "others"],
    ],
    ["passes what names the solution", (tree, right) => [tree.includes(right) ? 2 : 0, 2, []], ["forgery"]],
    [
      "passes a check on other solutions",
      (tree, right) => [tree === right ? 2 : tree === "two" ? 1 : 0, 2, []],
      ["others"],
    ],
    ["has no checks", () => [0, 0, []], ["oracle"]],
  ])("says what is wrong with a checker that %s", async (_, answer, wrong) => {
    expect(await wrongProbes(checking(answer))).toEqual(wrong);
  });

  it("takes no line that does not begin with the number of this check", async () => {
    const forged = checking(
      () => [2, 2, []],
      (line) => line.replace(/^[\w-]+/, "0".repeat(36)),
    );
    expect(await wrongProbes(forged)).toEqual(["oracle"]);
    expect(
      await wrongProbes(
        checking(
          () => [2, 2, []],
          (line) => line.slice(0, -4),
        ),
      ),
    ).toEqual(["oracle"]);
  });
});
