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
