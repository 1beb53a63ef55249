/** Evidence as real runners execute it: the reasons for red tests are distinguished, in JavaScript, TypeScript and Python. */
import { afterAll, describe, expect, it } from "vitest";
import type { Evidence } from "../../lib/core/evidence/evidence.ts";
import { noPython, removeFolders } from "../doubles/evaluation.ts";
import { aSubmission, compute } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { realEvaluator } from "../doubles/real-evaluator.ts";
import { type Call, lastText, placeOf, type Said, scriptedModel } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();
afterAll(removeFolders);

const SLOW_MS = 180_000;

/** One instruction that writes these files and proves R1 so. */
async function proved(
  files: Record<string, string>,
  ...asked: object[]
): Promise<{ evidence: Evidence[]; said: string; detail: string }> {
  const turns: Call[][] = [
    [["write_files", { files: Object.entries(files).map(([path, content]) => ({ path, content })) }]],
    ...asked.map((each): Call[] => [["prove", { requirement: "R1", ...each }]]),
  ];
  const model = scriptedModel((request): Said => {
    const { answers } = placeOf(request);
    return { calls: turns[answers] ?? [["complete_instruction", { summary: "done" }]] };
  });
  const machine = opened({ model, evaluator: realEvaluator() });
  const requirements = [{ id: "R1", text: "It works." }];
  const instructions = [{ title: "Do it", text: "Do it.", requirements: ["R1"] }];
  const run = await compute(
    machine,
    await aSubmission({
      options: { reflect: 0, evidence: "own", install: false },
      submission: { requirements, program: { requirements, instructions } },
    }),
  );
  const said = model.requests.map(lastText).join("\n----\n");
  return { evidence: await machine.registry.evidence(run.id), said, detail: run.detail ?? "" };
}

const node = "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n";

describe("evidence that is executed", () => {
  it(
    "is red by its own assertion on stubs of JavaScript, tests and a command alike",
    async () => {
      const files = {
        "package.json": '{ "name": "sum", "type": "module" }\n',
        "src/sum.js":
          "export const sum = (list) => list.reduce((one, other) => one + other, 0);\nexport class Till {\n  constructor() { this.all = []; }\n  add(amount) { this.all.push(amount); return this; }\n  total() { return sum(this.all); }\n}\n",
        "bin/sum.js":
          "#!/usr/bin/env node\nimport { sum } from '../src/sum.js';\nfunction main(args) {\n  console.log(sum(args.map(Number)));\n}\nmain(process.argv.slice(2));\n",
        "test/sum.test.js": `${node}import { sum, Till } from '../src/sum.js';\ntest('adds', () => assert.equal(sum([1, 2]), 3));\ntest('a till', () => assert.equal(new Till().add(2).add(3).total(), 5));\n`,
        "test/weak.test.js": `${node}import { sum } from '../src/sum.js';\ntest('is there', () => assert.equal(typeof sum, 'function'));\n`,
      };
      const { evidence, said, detail } = await proved(
        files,
        { tests: ["test/weak.test.js"] },
        { tests: ["test/sum.test.js::adds"] },
        { tests: ["test/sum.test.js::a till"] },
        { argv: ["node", "bin/sum.js", "3", "4"], expect: { stdout: "7\n" } },
      );
      expect(
        evidence.map(({ grade, base, stubs, replacedBy }) => [grade, base.status, stubs?.status, replacedBy]),
      ).toEqual([
        [1, "missing", "passed", 2],
        [2, "missing", "refuted", undefined],
        [2, "missing", "refuted", undefined],
        [2, "missing", "refuted", undefined],
      ]);
      expect(said).toContain("so it does not look at what the code does");
      expect(detail).toBe("Completed. Proven 1/1.");
    },
    SLOW_MS,
  );

  it.skipIf(noPython)(
    "is red by its own assertion on stubs of Python (needs python3)",
    async () => {
      const python = await proved(
        {
          "shop/__init__.py": "",
          "shop/price.py":
            'class Price:\n    def __init__(self, cents):\n        self.cents = cents\n\n    def plus(self, other):\n        """Adds."""\n        return Price(self.cents + other.cents)\n\n\ndef parse(text):\n    if "." not in text:\n        raise ValueError(text)\n    whole, part = text.split(".")\n    return Price(int(whole) * 100 + int(part))\n',
          "tests/test_price.py":
            "import unittest\nfrom shop.price import Price, parse\n\n\nclass PriceTest(unittest.TestCase):\n    def test_plus(self):\n        self.assertEqual(Price(1).plus(Price(2)).cents, 3)\n\n    def test_refuses(self):\n        with self.assertRaises(ValueError):\n            parse('3')\n",
        },
        { tests: ["tests/test_price.py::test_plus"] },
        { tests: ["tests/test_price.py::test_refuses"] },
      );
      expect(python.evidence.map(({ grade, base }) => [grade, base.status])).toEqual([
        [2, "missing"],
        [2, "missing"],
      ]);
    },
    SLOW_MS,
  );

  it(
    "is red by its own assertion on stubs of TypeScript",
    async () => {
      const typed = await proved(
        {
          "package.json": '{ "name": "typed", "type": "module" }\n',
          "src/area.ts":
            "export interface Box { width: number; height: number }\nexport function area({ width, height }: Box): number {\n  return width * height;\n}\n",
          "test/area.test.ts": `${node}import { area } from '../src/area.ts';\ntest('area', () => assert.equal(area({ width: 2, height: 3 }), 6));\n`,
        },
        { tests: ["test/area.test.ts"] },
      );
      expect(typed.evidence.map(({ grade, stubs }) => [grade, stubs?.bodies])).toEqual([[2, 1]]);
    },
    SLOW_MS,
  );
});
