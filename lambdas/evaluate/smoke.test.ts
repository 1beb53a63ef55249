import { afterAll, describe, expect, it } from "vitest";
import type { SmokeVerdict } from "../../lib/core/verdict.ts";
import { evaluation, type Files, noPython, removeFolders } from "../../test/doubles/evaluation.ts";

afterAll(removeFolders);

async function smoke(files: Files, timeoutMs = 30_000): Promise<Partial<SmokeVerdict>> {
  const verdict = await evaluation(files, { smoke: true, timeoutMs });
  return verdict.smoke ?? {};
}

describe("the smoke test of a delivery", () => {
  it("passes where the program starts and ends well", async () => {
    const found = await smoke({ "main.js": 'console.log("it lists things");' });
    expect(found).toMatchObject({ status: "passed", argv: ["node", "main.js", "--help"], output: "it lists things" });
  });

  it("passes where the program says how it is used, whatever its exit code", async () => {
    expect(await smoke({ "main.js": 'console.error("Usage: it FILE"); process.exit(2);' })).toMatchObject({
      status: "passed",
      exitCode: 2,
    });
  });

  it("passes where the program goes on until it is stopped", async () => {
    const found = await smoke(
      { "server.js": 'require("http").createServer().listen(0); console.log("listening");' },
      3_500,
    );
    expect(found).toMatchObject({ status: "passed", detail: "it still ran when it was stopped", output: "listening" });
  });

  it("fails where the program cannot be loaded, and names no folder of this computer", async () => {
    const found = await smoke({ "main.js": 'require("./gone.js");' });
    expect(found).toMatchObject({ status: "failed", exitCode: 1 });
    expect(found.output).toContain("Cannot find module './gone.js'");
    expect(found.output).not.toMatch(/l2mac-\w+\//);
  });

  it("fails where a package is used that the project does not declare", async () => {
    expect(await smoke({ "main.js": 'require("left-pad");' })).toMatchObject({ status: "failed" });
  });

  it("tries what the README shows where the program knows no help, and says what it tried", async () => {
    const program = 'if (process.argv[2] !== "list") { console.error("it: no such command"); process.exit(2); }';
    const files = { "it.js": program, "README.md": "# It\n\n    node it.js list\n" };
    expect(await smoke(files)).toMatchObject({ status: "passed", argv: ["node", "it.js", "list"], exitCode: 0 });
  });

  it("proves nothing where the program ends in its own words", async () => {
    const found = await smoke({ "main.js": 'console.error("set DATABASE first"); process.exit(1);' });
    expect(found).toMatchObject({ status: "not_run", reason: "it ended with 1", detail: "set DATABASE first" });
    expect(await smoke({ "main.js": "process.exit(1)" })).toMatchObject({ status: "failed" });
  });

  it("is not run where a declared package could not be had", async () => {
    const environment = { readable: [], missing: ["left-pad@1.0.0: no such package"] };
    const verdict = await evaluation({ "main.js": 'require("left-pad");' }, { smoke: true, environment });
    expect(verdict.smoke).toMatchObject({ status: "not_run", reason: "package_missing" });
  });

  it("blames nobody for a network that is not there", async () => {
    const files = { "main.js": 'const e = new Error("connect ECONNREFUSED 127.0.0.1:5432"); throw e;' };
    expect(await smoke(files)).toMatchObject({ status: "not_run", reason: "it needs the network" });
  });

  it("starts from a copy in which no test has left anything", async () => {
    const test =
      'require("node:test")("spoils", () => require("node:fs").writeFileSync("main.js", "process.exit(3)"));';
    const verdict = await evaluation({ "main.js": "", "a.test.js": test }, { tests: {}, smoke: true });
    expect(verdict.tests).toMatchObject({ status: "passed", passed: 1 });
    expect(verdict.smoke).toMatchObject({ status: "passed", exitCode: 0 });
  });

  it("has nothing to start in a library, and no verdict where nobody asked", async () => {
    expect(await smoke({ "lib.js": "" })).toMatchObject({ status: "not_run", reason: "nothing_to_check" });
    expect(await evaluation({ "main.js": "" })).not.toHaveProperty("smoke");
  });

  it.skipIf(noPython)("starts Python by its README, and takes a wait for input as started", async () => {
    const readme = "```\n$ python game.py --level 3\n```\n";
    expect(await smoke({ "game.py": 'input("name? ")', "README.md": readme })).toMatchObject({
      status: "passed",
      detail: "it waited for input",
    });
    expect(await smoke({ "main.py": "import numpi" })).toMatchObject({ status: "failed" });
  });
});
