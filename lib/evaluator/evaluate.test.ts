import { existsSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { evaluation, layTree, newFolder, removeFolders, toolchain } from "../../test/doubles/evaluation.ts";
import { Verdict } from "../core/verdict/verdict.ts";
import { unsealed } from "../sandbox/seal.ts";
import { createEvaluate } from "./evaluate.ts";

afterAll(removeFolders);

const nodeAlone = { toolchain: { node: toolchain.node, path: "" } };
const passing = { "a.test.js": "require('node:test')('works', () => {});\n" };

describe("an evaluation", () => {
  it("of no code has nothing to check", async () => {
    const verdict = await evaluation({ "README.md": "# Hello\n", "notes.txt": "{" });
    expect(verdict.syntax).toEqual({ status: "not_run", reason: "nothing_to_check", errors: [] });
    expect(verdict.tests).toMatchObject({ status: "not_run", reason: "nothing_to_check" });
  });

  it("of an empty tree has nothing to check", async () => {
    expect((await evaluation({})).syntax).toMatchObject({ status: "not_run", reason: "nothing_to_check" });
  });

  it("does what was asked and says of the rest that it was not asked", async () => {
    const verdict = await evaluation(passing, { syntax: {} });
    expect(verdict.syntax.status).toBe("passed");
    expect(verdict.tests).toMatchObject({ status: "not_run", reason: "not_asked" });
    expect(verdict.command).toBeUndefined();
    expect((await evaluation(passing, { tests: {} })).syntax).toMatchObject({ status: "not_run", reason: "not_asked" });
  });

  it("gives a verdict as the contract has it, with the id that it was given", async () => {
    const verdict = await evaluation(passing);
    expect(Verdict.parse(verdict)).toEqual(verdict);
    expect(verdict).toMatchObject({ requestId: "request", missingPackages: [], truncated: [] });
  });

  it("is no green one where a test was exchanged while the tests ran", async () => {
    const exchange = 'require("node:fs").writeFileSync("test/b.test.js", "");\nrequire("node:test")("a", () => {});\n';
    const tree = { "test/a.test.js": exchange, "test/b.test.js": "require('node:test')('b', () => {});\n" };
    expect((await evaluation(tree)).tests).toMatchObject({
      ...{ status: "crashed", reason: "tampered" },
      detail: "test/b.test.js was changed while the tests ran",
    });
  });

  it("may write the snapshots that a test asks for into it", async () => {
    const write = 'require("node:fs").appendFileSync("a.test.js", "// toMatchInlineSnapshot()");\n';
    const verdict = await evaluation({ "a.test.js": `${write}// InlineSnapshot\n${passing["a.test.js"]}` });
    expect(verdict.tests.status).toBe("passed");
  });

  it("works with nothing but Node on the computer", async () => {
    const verdict = await evaluation(passing, { syntax: {}, tests: {} }, nodeAlone);
    expect(verdict).toMatchObject({ syntax: { status: "passed" }, tests: { status: "passed", passed: 1 } });
  });

  it("names the program that is missing for the code there is", async () => {
    const verdict = await evaluation({ "a.py": "x = 1\n", "test_a.py": "" }, { syntax: {}, tests: {} }, nodeAlone);
    const missing = { status: "not_run", reason: "no_toolchain", detail: "python3 is not available here" };
    expect(verdict.syntax).toMatchObject(missing);
    expect(verdict.tests).toMatchObject({ ...missing, output: "python3 is not available here" });
  });

  it("does not take a language that it does not know for no code", async () => {
    const verdict = await evaluation({ "main.swift": "print(1)\n" });
    expect(verdict.syntax).toMatchObject({ reason: "no_toolchain", detail: expect.stringContaining("Swift") });
    expect(verdict.tests).toMatchObject({ status: "not_run", reason: "no_toolchain" });
  });

  it("is not green where one of two languages could not be checked", async () => {
    const verdict = await evaluation({ ...passing, "main.rs": "fn main() {}" });
    expect(verdict.tests).toMatchObject({ status: "not_run", reason: "no_toolchain", passed: 1 });
  });

  it("looks at no link, no repository and no installed package", async () => {
    const folder = layTree({ ...passing, ".git/bad.js": "(", "node_modules/x/bad.js": "(", ".venv/bad.js": "(" });
    const outside = join(newFolder(), "outside.js");
    writeFileSync(outside, "(");
    symlinkSync(outside, join(folder, "link.js"));
    symlinkSync("/", join(folder, "root"));
    const evaluate = createEvaluate({
      seal: unsealed("test"),
      toolchain,
      scratch: newFolder(),
      now: Date.now,
      newId: () => "",
    });
    expect((await evaluate(folder, { syntax: {}, timeoutMs: 100_000 })).syntax.status).toBe("passed");
  });

  it("lets nothing that tests or commands write reach the tree, and leaves nothing behind", async () => {
    const write = "require('fs').writeFileSync('written.txt', 'x'); require('fs').writeFileSync('a.js', 'spoilt')";
    const folder = layTree({ "a.js": "", "a.test.js": `require('node:test')("writes", () => { ${write}; });\n` });
    const scratch = newFolder();
    const evaluate = createEvaluate({ seal: unsealed("test"), toolchain, scratch, now: Date.now, newId: () => "" });
    const verdict = await evaluate(folder, { tests: {}, command: { argv: ["node", "-e", write] }, timeoutMs: 100_000 });
    expect(verdict).toMatchObject({ tests: { status: "passed" }, command: { status: "passed" } });
    expect(existsSync(join(folder, "written.txt"))).toBe(false);
    expect(readdirSync(scratch)).toEqual([]);
  });

  it("removes folders that tests have closed", async () => {
    const scratch = newFolder();
    const close = "const fs = require('fs'); fs.mkdirSync('d/e', { recursive: true }); fs.chmodSync('d', 0)";
    await evaluation({}, { command: { argv: ["node", "-e", close] } }, { scratch });
    expect(readdirSync(scratch)).toEqual([]);
  });

  it("shows no folder of this computer in its words", async () => {
    const files = { "a.test.js": "require('node:test')('fails', () => { throw new Error(__filename) });\n" };
    const text = JSON.stringify(await evaluation(files));
    expect(text).toContain("a.test.js");
    expect(text).not.toMatch(/l2mac-/);
  });

  it("gives tests no secret of ours", async () => {
    process.env.L2MAC_TEST_SECRET = "hunter2";
    const files = { "a.test.js": "console.log(JSON.stringify(process.env)); require('node:test')('x', () => {});\n" };
    const verdict = await evaluation(files, {
      tests: {},
      command: { argv: ["node", "-p", "Object.keys(process.env)"] },
    });
    delete process.env.L2MAC_TEST_SECRET;
    expect(JSON.stringify(verdict)).not.toMatch(/hunter2|SECRET/);
    expect(verdict.command?.stdout).toContain("HOME");
  });

  it("contains no key, in whatever field the executed code put it", async () => {
    const key = `AKIA${"IOSFODNN7EXAMPLE"}`;
    const print = "console.log('AKIA' + 'IOSFODNN7EXAMPLE')";
    const files = {
      "a.test.js": `require('node:test')('fails', () => { throw new Error('AKIA' + 'IOSFODNN7EXAMPLE') });`,
    };
    const verdict = await evaluation(files, { tests: {}, command: { argv: ["node", "-e", print] } });
    expect(verdict.command?.stdout).toBe("[secret: aws access key]\n");
    expect(JSON.stringify(verdict.tests.cases)).toContain("[secret: aws access key]");
    expect(JSON.stringify(verdict)).not.toContain(key);
  });

  it("tells a hundred findings and how many more there are", async () => {
    const files = Object.fromEntries(Array.from({ length: 103 }, (_, at) => [`f${at}.cjs`, "let = ;"]));
    const verdict = await evaluation(files, { syntax: {} });
    expect(verdict.syntax.errors).toHaveLength(100);
    expect(verdict.truncated).toEqual(["3 of 103 findings"]);
  });

  it("finds stubs in what changed, and only there", async () => {
    const stub = "exports.parse = function (text) {};\n";
    const files = { ...passing, "parse.js": stub, "scan.js": stub };
    expect((await evaluation(files, { syntax: {} })).syntax).toEqual({ status: "passed", errors: [] });
    const changed = [{ path: "parse.js" }, { path: "scan.js", before: Buffer.from(stub) }, { path: "gone.js" }];
    expect((await evaluation(files, { syntax: {}, changed })).syntax).toMatchObject({
      status: "failed",
      errors: [{ path: "parse.js", line: 1, rule: "stub" }],
    });
    const moved = [{ path: "parse.js" }, { path: "old/parse.js", before: Buffer.from(stub) }];
    expect((await evaluation(files, { syntax: {}, changed: moved })).syntax.status).toBe("passed");
    expect((await evaluation(files, { syntax: { paths: ["a.test.js"] }, changed })).syntax.status).toBe("passed");
  });

  it("finds nothing to be no proof that there was something to check", async () => {
    const verdict = await evaluation({ "a.scss": "a { }\n" }, { syntax: {}, changed: [{ path: "a.scss" }] });
    expect(verdict.syntax).toMatchObject({ status: "not_run", reason: "nothing_to_check" });
  });

  it("stops when the signal says so", async () => {
    const controller = new AbortController();
    const files = { "a.test.js": "setInterval(() => {}, 1000)" };
    const running = evaluation(files, { tests: {}, signal: controller.signal });
    controller.abort();
    expect((await running).tests.status).toBe("timed_out");
  });
});

describe("a command", () => {
  const command = async (argv: string[], more: { stdin?: string; timeoutSeconds?: number } = {}, files = {}) =>
    (await evaluation(files, { command: { argv, ...more } })).command;

  it("that ends well has passed, with what it printed", async () => {
    const files = { "main.js": "process.stdin.on('data', (d) => console.log('got ' + d)); console.error('warned')" };
    expect(await command(["node", "main.js"], { stdin: "this" }, files)).toMatchObject({
      status: "passed",
      exitCode: 0,
      stdout: "got this\n",
      stderr: "warned\n",
    });
  });

  it("that ends badly has failed, with its exit code", async () => {
    expect(await command(["node", "-e", "process.exit(4)"])).toMatchObject({ status: "failed", exitCode: 4 });
  });

  it("that does not end is stopped at its own time", async () => {
    const endless = ["node", "-e", "setInterval(() => {}, 1000)"];
    expect(await command(endless, { timeoutSeconds: 0.5 })).toMatchObject({ status: "timed_out", exitCode: null });
  });

  it("that crashes says by which signal", async () => {
    expect(await command(["node", "-e", "process.abort()"])).toMatchObject({
      status: "crashed",
      detail: "ended by SIGABRT",
    });
  });

  it.each(["no-such-program", "./no-such-file", "/no/such/file", ""])(
    "that is not there (%s) was not run",
    async (name) => {
      expect(await command([name])).toMatchObject({ status: "not_run", reason: "no_toolchain", exitCode: null });
    },
  );

  it("may be a script of the tree, which its first line makes executable", async () => {
    expect(await command(["./hello.sh"], {}, { "hello.sh": "#!/bin/sh\necho hello\n" })).toMatchObject({
      status: "passed",
      stdout: "hello\n",
    });
  });

  it("that prints without end is cut and says so", async () => {
    const verdict = await evaluation({}, { command: { argv: ["node", "-e", "console.log('x'.repeat(1e6))"] } });
    expect(verdict.command?.stdout.length).toBeLessThan(40_000);
    expect(verdict.truncated).toEqual(["the output of the command"]);
  });
});
