/** Evidence for what no stubs can be made of: a check has to notice that it is gone or blank. Executed by the real evaluator. */
import { afterAll, describe, expect, it } from "vitest";
import { removeFolders } from "../doubles/evaluation.ts";
import { aSubmission, compute } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { realEvaluator } from "../doubles/real-evaluator.ts";
import { type Call, lastText, placeOf, type Said, scriptedModel } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();
afterAll(removeFolders);

const write = (files: Record<string, string>): Call => [
  "write_files",
  { files: Object.entries(files).map(([path, content]) => ({ path, content })) },
];
const proveBy = (check: object): Call => ["prove", { requirement: "R1", ...check }];

/** One instruction for each list of turns; all serve R1. */
async function computed(...instructions: Call[][][]) {
  const model = scriptedModel((request): Said => {
    const { instruction, answers } = placeOf(request);
    return { calls: instructions[instruction - 1]?.[answers] ?? [["complete_instruction", { summary: "done" }]] };
  });
  const machine = opened({ model, evaluator: realEvaluator() });
  const requirements = [{ id: "R1", text: "It does what was asked for." }];
  const program = {
    requirements,
    instructions: instructions.map((_, at) => ({ title: `Part ${at}`, text: "Do it.", requirements: ["R1"] })),
  };
  const run = await compute(
    machine,
    await aSubmission({
      options: { reflect: 0, evidence: "own", install: false },
      submission: { requirements, program },
    }),
  );
  const evidence = await machine.registry.evidence(run.id);
  return { run, evidence, said: model.requests.map(lastText).join("\n") };
}

const PACKAGE = { "package.json": '{ "name": "sum", "type": "module" }\n' };
const ADD = { "src/add.js": "export function add(a, b) {\n  return 42;\n}\n" };
const test = (body: string, imports = "") => ({
  "test/add.test.js": `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
${imports}
test("it does", () => {
  ${body}
});
`,
});
const BY_TEST = proveBy({ tests: ["test/add.test.js"] });

describe("a check that looks at no function", () => {
  it.each([
    {
      beside: "a module that passes functions on",
      files: { ...ADD, "src/index.js": 'export { add } from "./add.js";\n' },
      check: test('assert.equal(typeof add, "function");', 'import { add } from "../src/index.js";'),
    },
    {
      beside: "words of a README, where no document is asked for",
      files: { ...ADD, "README.md": "# Add\n" },
      check: test('assert.match(readFileSync("README.md", "utf8"), /Add/);'),
    },
    {
      beside: "data that it reads",
      files: { ...ADD, "src/version.json": '{ "version": 1 }\n' },
      check: test(
        'JSON.parse(readFileSync("src/version.json", "utf8"));\n  assert.equal(typeof add, "function");',
        'import { add } from "../src/add.js";',
      ),
    },
    {
      beside: "a text whose absence it breaks on, and not by its own assertion",
      files: { ...ADD, "src/names.csv": "one,two\n" },
      check: test(
        'readFileSync("src/names.csv", "utf8").split(",")[1].trim();\n  assert.equal(typeof add, "function");',
        'import { add } from "../src/add.js";',
      ),
    },
  ])("proves nothing by $beside", async ({ files, check }) => {
    const { run } = await computed([[write({ ...PACKAGE, ...files, ...check })], [BY_TEST]]);
    expect(run).toMatchObject({ status: "partial", reason: "unproven", proven: { proven: 0 } });
  });

  it("proves nothing by a file that its command names", async () => {
    const { run } = await computed(
      [[write({ ...PACKAGE, ...ADD })]],
      [[write({ "done.txt": "done\n" })], [proveBy({ argv: ["test", "-f", "done.txt"] })]],
    );
    expect(run).toMatchObject({ status: "partial", reason: "unproven", proven: { proven: 0 } });
  });
});

const PAGE = { "page.html": "<h1>Welcome</h1>\n" };
const WELCOMES = test('assert.match(readFileSync("page.html", "utf8"), /Welcome/);');

describe("a check of a page", () => {
  it("proves at E1 what it finds there, and names it", async () => {
    const { run, evidence } = await computed([[write({ ...PACKAGE, ...PAGE, ...WELCOMES })], [BY_TEST]]);
    expect(run).toMatchObject({ status: "completed", proven: { proven: 1, ungraded: ["R1"] } });
    expect(evidence).toMatchObject([{ grade: 1, noStubs: "pages, texts or data" }]);
  });

  it("lends nothing to a check that shows nothing", async () => {
    const { run, said } = await computed(
      [[write({ ...PACKAGE, ...PAGE, ...WELCOMES })], [BY_TEST]],
      [
        [
          ["amend_test", { path: "test/add.test.js", reason: "the page is no longer wanted" }],
          ["delete_files", { paths: ["page.html"] }],
          write(test("assert.ok(true);")),
        ],
        [BY_TEST],
      ],
    );
    expect(said).toContain("the check passes on the files before this instruction too");
    expect(run).toMatchObject({ status: "partial", reason: "unproven", proven: { proven: 0 } });
  });
});
