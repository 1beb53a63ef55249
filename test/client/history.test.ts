import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../doubles/command.ts";
import { startProgramServer } from "../servers/program-server.ts";

/** One run of four instructions, each of which writes a file of its own. */
let bench: Bench;
beforeAll(async () => {
  const server = await startProgramServer({ instructions: 4, ordinaryOnly: true });
  bench = aBench({ OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url });
  const { code } = await bench.run(["Write the parts.", "--model", "scripted", "--name", "part"]);
  expect(code).toBe(0);
  await server.close();
});
afterAll(() => bench.remove());

const fails = (path: string): string[] => ["--", "node", "-e", `require("fs").accessSync(${JSON.stringify(path)})`];

describe("bisect", () => {
  it("finds the first instruction after which a command fails, and runs nothing twice", async () => {
    const gone = ["--", "node", "-e", 'process.exitCode = require("fs").existsSync("parts/part-3.txt") ? 4 : 0'];
    const { code, stdout, stderr } = await bench.run(["bisect", "part", ...gone]);
    expect(stderr).toContain("  after 4: fails (exit code 4)\n  at the start: passes (exit code 0)\n");
    expect(stderr).toContain("The first instruction after which it fails (4 checks):\nNext: l2mac diff part --at 3\n");
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^3 {2}\S.*\n$/) });
  });

  it("looks for where it passed, and leaves out what the command skips with 125", async () => {
    const program =
      'const has = (n) => require("fs").existsSync("parts/part-" + n + ".txt"); process.exit(has(4) ? 1 : has(3) ? 125 : has(2) ? 0 : 1)';
    const { code, stdout } = await bench.run(["bisect", "--json", "--", "node", "-e", program]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ result: "found", first: 4, passes: 2, among: [3, 4] });
  });

  it("says where there is nothing to find, and leaves no tree behind", async () => {
    expect(await bench.run(["bisect", ...fails("parts/part-1.txt")])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("It passes after instruction 4, so there is no failure to find (1 check)."),
    });
    expect(
      await bench.run(["bisect", "--bad", "2", "--good", "1", "--", "node", "-e", "process.exit(3)"]),
    ).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("It passes nowhere before"),
    });
    const trees = readdirSync(join(bench.folder, ".l2mac/cache/trees"));
    expect(trees.filter((name) => name.startsWith("bisect"))).toEqual([]);
  });

  it.each([
    [["bisect"], "bisect needs a command"],
    [["bisect", "part", "--"], "bisect needs a command"],
    [["bisect", "--good", "4", "--", "true"], "--good must be below 4."],
    [["bisect", "--bad", "9", "--", "true"], "has no files of instruction 9"],
    [["bisect", "--good", "first", "--", "true"], '--good takes the number of an instruction; "first" is none.'],
  ])("refuses %j", async (args, message) => {
    expect(await bench.run(args)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(message) });
  });
});

describe("blame", () => {
  it("names the turn and the instruction of each line", async () => {
    const { code, stdout, stderr } = await bench.run(["blame", "part", "parts/part-2.txt"]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^2\.1 +\S* *1 {2}part 2\n2\.1 +\S* *2 {2}of many\n$/),
    });
    expect(stderr).toMatch(/parts\/part-2\.txt: 2 lines\n {2}2 {2}\S/);
    const json = await bench.run(["blame", "parts/part-2.txt", "--json"]);
    expect(
      json.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { line: 1, instruction: 2, turn: 1, text: "part 2" },
      { line: 2, instruction: 2, turn: 1, text: "of many" },
    ]);
  });

  it.each([
    [["blame"], "blame needs the path of a file"],
    [["blame", "parts/part-22.txt"], "Did you mean parts/part-2.txt?"],
    [["blame", "parts/part-3.txt", "--at", "2"], "has no file parts/part-3.txt"],
    [["blame", "../part"], "l2mac tree"],
  ])("refuses %j", async (args, message) => {
    expect(await bench.run(args)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(message) });
  });
});
