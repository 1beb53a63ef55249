/** Generated code, evaluated in the seal of this computer: what it can do there, and what not. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createEvaluate, type EvaluateParts } from "../lib/evaluator/evaluate.ts";
import { createReadyCheckers } from "../lib/evaluator/ready-checkers.ts";
import { packTree } from "../lib/pack/pack.ts";
import { openSandbox } from "../lib/sandbox/sandbox.ts";
import { createSandboxEvaluator } from "../lib/sandbox/sandbox-evaluator.ts";
import { type Files, layTree, newFolder, noPython, removeFolders, toolchain } from "./doubles/evaluation.ts";

afterAll(removeFolders);

const sandbox = openSandbox({
  env: process.env,
  node: process.execPath,
  folder: newFolder(),
  uid: process.getuid?.() ?? 1,
});
const noSeal = !sandbox.seal.describe().sealed;

const evaluator = createSandboxEvaluator({
  folder: newFolder(),
  evaluateTree: createEvaluate({ ...sandbox, scratch: newFolder(), now: Date.now, newId: () => "request" }),
  now: Date.now,
});

let packs = 0;
const evaluate = (files: Files, timeoutMs = 30_000) => {
  const encoded = Object.entries(files).map(([path, text]) => ({ path, content: Buffer.from(text) }));
  return evaluator.evaluate({
    runId: "01RUN",
    base: { key: `pack-${packs++}`, load: async () => packTree(undefined, encoded) },
    changes: [],
    syntax: {},
    tests: {},
    command: { argv: ["node", "-p", "process.getuid()"] },
    install: false,
    timeoutMs,
  });
};
const nodeTest = (body: string): Files => ({
  "a.test.mjs": `import test from "node:test";\ntest("a", async () => { ${body} });\n`,
});

describe.skipIf(noSeal)("a sealed evaluation (needs bubblewrap)", () => {
  it("of healthy JavaScript passes", async () => {
    expect(await evaluate(nodeTest(""))).toMatchObject({
      syntax: { status: "passed" },
      tests: { status: "passed", passed: 1 },
      command: { status: "passed", stdout: "65534\n" },
    });
  });

  it.skipIf(noPython)("of healthy Python passes (needs python3)", async () => {
    const file =
      "import unittest, tempfile\nclass T(unittest.TestCase):\n  def test_a(self):\n    tempfile.mkstemp()\n";
    expect(await evaluate({ "test_a.py": file })).toMatchObject({
      syntax: { status: "passed" },
      tests: { status: "passed", passed: 1 },
    });
  });

  it("tells failures, crashes and time-outs apart as an unsealed one does", async () => {
    expect((await evaluate(nodeTest("throw new Error('no')"))).tests).toMatchObject({ status: "failed", failed: 1 });
    expect((await evaluate(nodeTest("process.exit(0)"))).tests).toMatchObject({ status: "failed", errors: 1 });
    const hanging = nodeTest("await new Promise(() => setInterval(() => {}, 1000))");
    expect((await evaluate(hanging, 3_000)).tests.status).toBe("timed_out");
    const script = { "package.json": '{ "scripts": { "test": "node check.js" } }' };
    expect((await evaluate({ ...script, "check.js": "process.abort()" })).tests.status).toBe("crashed");
  });

  it("reaches no network, no home and no file of ours", async () => {
    const secret = join(newFolder(), "secret");
    writeFileSync(secret, "hunter2");
    const reads = [secret, "/etc/shadow", toolchain.node.replace(/[^/]+$/, "../package.json")];
    const verdict = await evaluate(
      nodeTest(`
        const { readFileSync } = await import("node:fs");
        for (const path of ${JSON.stringify(reads)}) try { console.log(readFileSync(path, "utf8")); throw 1; } catch (e) { if (e === 1) throw new Error("read " + path); }
        await fetch("http://198.51.100.1/").then(() => { throw new Error("connected"); }, () => {});`),
    );
    expect(verdict.tests).toMatchObject({ status: "passed" });
    expect(JSON.stringify(verdict)).not.toContain("hunter2");
  });

  it("cannot change the tree, nor what the next evaluation finds", async () => {
    const spoil = nodeTest(`
      const { writeFileSync, existsSync } = await import("node:fs");
      const { homedir, tmpdir } = await import("node:os");
      for (const folder of [".", homedir(), tmpdir(), "/tmp"]) {
        if (existsSync(folder + "/left")) throw new Error("something was left in " + folder);
        writeFileSync(folder + "/left", "");
      }`);
    expect((await evaluate(spoil)).tests.status).toBe("passed");
    expect((await evaluate(spoil)).tests.status).toBe("passed");
  });

  it("has checkers that read their own tree and nothing else, and write nothing", async () => {
    const [folder, other] = [layTree({ "own.txt": "" }), layTree({ "secret.txt": "" })];
    const checkers = createReadyCheckers();
    const program = `
      const fs = require("fs");
      const attempt = (act) => { try { return act() } catch ({ code }) { return code } };
      require("readline").createInterface({ input: process.stdin }).on("line", (path) => console.log(JSON.stringify([
        fs.readdirSync("."), attempt(() => fs.readdirSync(path)), attempt(() => fs.writeFileSync("made", "")),
        process.getuid(), Object.keys(require("os").networkInterfaces()).filter((name) => name !== "lo"),
      ])));`;
    const argv = [sandbox.toolchain.node, "-e", program];
    const checker = { seal: sandbox.seal, argv, folder, path: sandbox.toolchain.path, env: {}, readable: [] };
    for (const _ of ["first", "again"]) {
      const answer = await checkers.ask(sandbox, checker, { line: other, timeoutMs: 30_000 });
      expect(JSON.parse(answer?.stdout ?? "")).toEqual([["own.txt"], "ENOENT", "EROFS", 65534, []]);
    }
    await checkers.end();
  });

  it("gives the same answers from checkers that stay ready", async () => {
    const checkers = createReadyCheckers();
    const open = (more: Partial<EvaluateParts>) =>
      createSandboxEvaluator({
        folder: newFolder(),
        evaluateTree: createEvaluate({ ...sandbox, scratch: newFolder(), now: () => 0, newId: () => "", ...more }),
        now: () => 0,
      });
    const [plain, ready] = [open({}), open({ checkers })];
    const files = {
      "a.js": "let = = 1;\n",
      "b.mjs": 'import "./gone.mjs";\n',
      "c.ts": "let c: number;\n",
      "d.py": "def d(:\n",
      "e.html": "<script>let = = 1;</script>\n",
    };
    const content = Object.entries(files).map(([path, text]) => ({ path, content: Buffer.from(text) }));
    const base = { key: "pack", load: async () => packTree(undefined, content) };
    for (const path of Object.keys(files)) {
      const asked = { runId: "01RUN", base, changes: [], syntax: { paths: [path] }, install: false, timeoutMs: 60_000 };
      expect((await ready.evaluate(asked)).syntax).toEqual((await plain.evaluate(asked)).syntax);
    }
    await checkers.end();
  });
});
