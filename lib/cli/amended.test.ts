/** What the command says of locked tests that were amended, and of tests that were given. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { aBench } from "../../test/doubles/command.ts";
import type { ScriptedAnswer, ScriptedRequest } from "../../test/servers/scripted-completion.ts";
import { startScriptedServer } from "../../test/servers/scripted-openai.ts";

const test = (name: string, value: number): string => `import assert from "node:assert/strict";
import { test } from "node:test";
import { value } from "../src/value.js";

test("${name}", () => assert.equal(value, ${value}));
`;
const files = (contents: Record<string, string>) => ({
  files: Object.entries(contents).map(([path, content]) => ({ path, content })),
});
const done = { name: "complete_instruction", arguments: { summary: "done" } };
const REASON = "the task says 2 now";

/** Two instructions; the second changes a value that the first has tested. */
function answer({ messages }: ScriptedRequest): ScriptedAnswer {
  const text = messages.map(({ content }) => content ?? "").join("\n");
  if (text.includes("Planning the program")) {
    const instructions = ["One", "Two"].map((title) => ({ title, text: title, requirements: [] }));
    return { toolCalls: [{ name: "write_program", arguments: { instructions } }] };
  }
  const turn = messages.filter(({ role }) => role === "assistant").length;
  if (turn > 0) return { toolCalls: [done] };
  const isFirst = text.includes("Instruction 1 of 2");
  const value = isFirst ? 1 : 2;
  const write = files({
    "src/value.js": `export const value = ${value};\n`,
    "test/value.test.js": test("value", value),
  });
  const amend = { name: "amend_test", arguments: { path: "test/value.test.js", reason: REASON } };
  return { toolCalls: [...(isFirst ? [] : [amend]), { name: "write_files", arguments: write }] };
}

it("is reported while it happens, when the run ends, and by status, here and from a server", async () => {
  const server = await startScriptedServer({ answer });
  const bench = aBench();
  onTestFinished(async () => {
    await server.close();
    bench.remove();
  });
  mkdirSync(join(bench.folder, "given"));
  mkdirSync(join(bench.folder, "given/accept"));
  bench.write("given/accept/two.test.js", test("two", 2));
  const tests = ["--tests", "given", "--reflect", "0"];
  const ran = await bench.run(["Make 2.", ...tests, "--base-url", server.url, "--model", "scripted", "--out", "made"]);
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain(`  amended test/value.test.js: ${REASON}`);
  expect(ran.stderr).toMatch(/✔ 1\/2 One · .*tests 1\/2, given tests 0\/1/);
  expect(ran.stderr).toMatch(/Kept: 2 of 2 instructions, \d files in .*made, tests 2\/2, 1 locked test amended\./);

  const said = (await bench.run(["status"])).stdout;
  expect(said).toMatch(new RegExp(`^amended +test/value\\.test\\.js \\(instruction 2\\): ${REASON}$`, "m"));
  expect(said).toContain("tests 2/2, given tests 1/1");
  const amendments = [{ instruction: 2, path: "test/value.test.js", reason: REASON }];
  expect(JSON.parse((await bench.run(["status", "--json"])).stdout)).toMatchObject({ amendments, amended: 1 });
  expect((await bench.run(["replay"])).code).toBe(0);

  const serving = bench.start(["serve", "--port", "0"]);
  onTestFinished(() => void serving.child.kill("SIGKILL"));
  await serving.says("Ctrl-C stops");
  const url = await serving.answers();
  expect((await bench.run(["status", "--remote", url])).stdout).toContain(
    `test/value.test.js (instruction 2): ${REASON}`,
  );
  expect((await bench.run(["replay", "--remote", url])).code).toBe(0);
});
