/** Evidence is asked for without a setting: what a model only claims does not complete a run. Through the real command. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { aBench, type Bench } from "../doubles/command.ts";
import { type ScriptedAnswer, type ScriptedServer, startScriptedServer } from "../servers/scripted-openai.ts";

let bench: Bench;
let server: ScriptedServer | undefined;
beforeEach(() => {
  bench = aBench();
  delete bench.env.L2MAC_EVIDENCE;
});
afterEach(async () => {
  await server?.close();
  bench.remove();
});

const call = (name: string, args: object): ScriptedAnswer => ({ toolCalls: [{ name, arguments: args }] });
const done = call("complete_instruction", { summary: "done" });
const write = (files: Record<string, string>): ScriptedAnswer =>
  call("write_files", { files: Object.entries(files).map(([path, content]) => ({ path, content })) });

const PROGRAM = {
  requirements: ["R1", "R2", "R3"].map((id) => ({ id, text: `Part ${id} works.` })),
  instructions: ["R1", "R2", "R3"].map((id) => ({ title: `Part ${id}`, text: "Write it.", requirements: [id] })),
};

/** `turns`: of the first instruction; the others are only said to be done. */
async function computed(turns: ScriptedAnswer[], ...flags: string[]) {
  server = await startScriptedServer({
    answer: ({ messages }) => {
      const isFirst = messages.some(({ content }) => content?.includes("Instruction 1 of 3"));
      return (isFirst ? turns[messages.filter(({ role }) => role === "assistant").length] : undefined) ?? done;
    },
  });
  const model = ["--base-url", server.url, "--model", "scripted", "--price", "0,0"];
  bench.write("program.json", JSON.stringify(PROGRAM));
  return bench.run(["Three parts", "--program", "program.json", "--no-install", ...model, ...flags]);
}

const TEST = "import { test } from 'node:test';\ntest('is true', () => {});\n";

it("three bare words of completion end partial, and a tautology is called that", async () => {
  const tautology = call("prove", { requirement: "R1", tests: ["test/a.test.js"] });
  const { code, stderr } = await computed([
    write({ "src/a.js": "export const a = 1;\n", "test/a.test.js": TEST }),
    tautology,
  ]);
  expect(code, stderr).toBe(1);
  expect(stderr).toContain("passes on the files before this instruction too");
  expect(stderr).toMatch(
    /^partial: .*Proven 0\/3\. Not proven: R1 \(no evidence\); R2 \(no evidence\); R3 \(no evidence\)\./m,
  );
  expect(stderr).toMatch(/^Next: .*evidence/m);
  const { stdout } = await bench.run(["status"]);
  expect(stdout).toMatch(/^evidence +Proven 0\/3\./m);
  // What a model is to do for it is said before it begins.
  expect(server?.requests[0]?.messages.map(({ content }) => content).join("\n")).toContain("call prove for each");
});

const TEST_OF_A = `import assert from "node:assert/strict";
import { test } from "node:test";
import { a } from "../src/a.js";
test("a", () => assert.equal(a(), 1));
`;

it("what was proven and is broken three steps later blocks there, and of what is delivered no byte may differ", async () => {
  const code = (value: number) => `export function a() {\n  return ${value};\n}\n`;
  const proving = [
    write({ "package.json": '{ "type": "module" }\n', "src/a.js": code(1), "test/a.test.js": TEST_OF_A }),
    call("prove", { requirement: "R1", tests: ["test/a.test.js"] }),
  ];
  const breaking = [
    call("amend_test", { path: "test/a.test.js", reason: "it is in the way" }),
    call("delete_files", { paths: ["test/a.test.js"] }),
    // Its own test goes along, so that nothing but the evidence is red.
    write({ "src/a.js": code(2), "test/b.test.js": TEST_OF_A.replace("a(), 1", "a(), a()") }),
    done,
    write({ "src/a.js": code(1), "test/a.test.js": TEST_OF_A }),
  ];
  server = await startScriptedServer({
    answer: ({ messages }) => {
      const [, at] = /Instruction (\d) of 4/.exec(messages.map(({ content }) => content ?? "").join("\n")) ?? [];
      const turns = at === "1" ? proving : at === "4" ? breaking : [];
      return turns[messages.filter(({ role }) => role === "assistant").length] ?? done;
    },
  });
  const instructions = [1, 2, 3, 4].map((at) => ({
    title: `Part ${at}`,
    text: "Do it.",
    requirements: at === 1 ? ["R1"] : [],
  }));
  bench.write("four.json", JSON.stringify({ requirements: [{ id: "R1", text: "It is one." }], instructions }));
  const model = ["--base-url", server.url, "--model", "scripted", "--price", "0,0"];
  const { code: ended, stderr } = await bench.run([
    "Four parts",
    "--program",
    "four.json",
    "--no-install",
    "--out",
    "four",
    ...model,
  ]);
  const said = server.requests.map(({ messages }) => messages.at(-1)?.content ?? "").join("\n");
  expect(ended, stderr).toBe(0);
  expect(said).toContain("Requirements that were proven are broken on this tree:\n- R1, by test/a.test.js (R1#1");
  expect(stderr).toMatch(/^Completed\. Proven 1\/1\.$/m);

  expect((await bench.run(["get", "--zip", "made.zip"])).code).toBe(0);
  bench.write("four/src/a.js", code(7));
  const changed = await bench.run(["verify", "four", "--manifest", "made.manifest.json"]);
  expect(changed).toMatchObject({ code: 1, stdout: expect.stringMatching(/^ +changed: src\/a\.js$/m) });
});

it("with --evidence off they complete the run as before, and the report says that none was asked for", async () => {
  const { code, stderr } = await computed([write({ "test/a.test.mjs": TEST })], "--evidence", "off");
  expect(code, stderr).toBe(0);
  expect((await bench.run(["status"])).stdout).toMatch(/^evidence +off$/m);
  await bench.run(["report", "--out", "made"]);
  expect(bench.read("made/index.html")).toContain("off: exit codes follow from the checks alone");
});

it("with --evidence independent what an engineer proves with tests of its own is shown, and proves nothing", async () => {
  const own =
    "import { equal } from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { a } from '../src/a.js';\ntest('adds', () => equal(a(), 3));\n";
  const proof = call("prove", { requirement: "R1", tests: ["test/a.test.js"] });
  const { code, stderr } = await computed(
    [
      write({
        "package.json": '{"type":"module"}',
        "src/a.js": "export function a() { return 3; }\n",
        "test/a.test.js": own,
      }),
      proof,
    ],
    ...["--evidence", "independent"],
  );
  expect(code, stderr).toBe(1);
  expect(stderr).toMatch(/^writing the checks of the requirements$/m);
  expect(stderr).toMatch(/^partial: .*Proven 0\/3\. Not proven: R1 \(the examiner wrote no check\); R2/m);
  const { stdout, code: unproven } = await bench.run(["evidence"]);
  expect(unproven).toBe(1);
  expect(stdout).toMatch(/R1#1 E2 by its author: test\/a\.test\.js: missing → passed/);
});

it("a book asks for none, as nothing of it can be executed", async () => {
  const { stdout } = await bench.run(["A book", "--domain", "book", "--rehearse", "--steps", "1", "--json"]);
  expect(stdout).not.toContain("unproven");
  expect((await bench.run(["status"])).stdout).toMatch(/^evidence +off$/m);
});

it("a book that asks for it is proven by passages, and verified where there is no sandbox until a byte differs", async () => {
  const words = "It rained when Anna found the mill empty.";
  const chapter = "chapters/01-mill.md";
  const turns = [
    write({ [chapter]: `# The mill\n\n${words}\n` }),
    call("prove", { requirement: "R1", passages: [{ path: chapter, words }] }),
  ];
  server = await startScriptedServer({
    answer: ({ messages }) => turns[messages.filter(({ role }) => role === "assistant").length] ?? done,
  });
  const program = {
    requirements: [{ id: "R1", text: "Anna finds the mill." }],
    instructions: [{ title: "Write it", text: "Write the chapter.", requirements: ["R1"] }],
  };
  bench.write("book.json", JSON.stringify(program));
  const model = ["--base-url", server.url, "--model", "scripted", "--price", "0,0"];
  const asked = ["A book", "--domain", "book", "--evidence", "own", "--program", "book.json", "--out", "book"];
  const { code, stderr } = await bench.run([...asked, ...model]);
  expect(code, stderr).toBe(0);
  expect((await bench.run(["status"])).stdout).toMatch(/^evidence +Proven 1\/1\. By their text/m);
  expect((await bench.run(["evidence"])).stdout).toContain(`R1#1 E1: ${chapter} "${words}"`);

  const got = await bench.run(["get", "--zip", "made.zip"]);
  expect(got.code, got.stderr).toBe(0);
  delete bench.env.L2MAC_UNSEALED;
  bench.env.PATH = "";
  const verified = await bench.run(["verify", "made.zip"]);
  expect(verified.code, verified.stderr).toBe(0);
  expect(verified.stdout).toContain("1 of 1 check green, executed here without a model");
  bench.write(`book/${chapter}`, bench.read(`book/${chapter}`).replace("empty", "emptY"));
  const changed = await bench.run(["verify", "book", "--manifest", "made.manifest.json"]);
  expect(changed).toMatchObject({ code: 1, stdout: expect.stringContaining(`changed: ${chapter}`) });
});
