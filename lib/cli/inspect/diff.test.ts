import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../../../test/doubles/command.ts";
import { startProgramServer } from "../../../test/servers/program-server.ts";
import { readRange } from "./instruction-range.ts";

/** One run, stopped in instruction 3 when its file was written and not accepted. */
let bench: Bench;
beforeAll(async () => {
  const server = await startProgramServer({ instructions: 3, ordinaryOnly: true });
  bench = aBench({ OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url });
  mkdirSync(join(bench.folder, "old/parts"), { recursive: true });
  writeFileSync(join(bench.folder, "old/parts/part-1.txt"), "part 1\nof one\n");
  writeFileSync(join(bench.folder, "old/logo.png"), new Uint8Array([0, 1, 2]));
  const args = ["Write more.", "--model", "scripted", "--name", "part", "--from", "old", "--max-turns", "7"];
  expect(await bench.run(args)).toMatchObject({ code: 7 });
  await server.close();
});
afterAll(() => bench.remove());

const FIRST = "diff --git a/parts/part-1.txt b/parts/part-1.txt";

describe("diff", () => {
  it("shows what changed from the start to now, accepted or not, so that git can apply it", async () => {
    const { code, stdout, stderr } = await bench.run(["diff"]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^Run \w{6} \(part\), the start to now: 3 files \(2 added, 1 changed\), 5 lines added, 1 removed\n$/,
      ),
    });
    expect(stdout).toContain(
      `${FIRST}\n--- a/parts/part-1.txt\n+++ b/parts/part-1.txt\n@@ -1,2 +1,2 @@\n part 1\n-of one\n`,
    );
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: bench.folder };
    execFileSync("git", ["apply", "-"], { cwd: join(bench.folder, "old"), input: stdout, env });
    expect(readFileSync(join(bench.folder, "old/parts/part-3.txt"), "utf8")).toBe("part 3\nof many\n");
  });

  it("shows what one instruction changed, and what several did in a summary", async () => {
    const one = await bench.run(["diff", "part", "--at", "2"]);
    expect(one.stdout).toMatch(/^diff --git a\/parts\/part-2\.txt b\/parts\/part-2\.txt\nnew file mode 100644\n/);
    expect(one.stdout.match(/^diff --git/gm)).toHaveLength(1);
    expect((await bench.run(["diff", "part", "--at", "..2", "--stat"])).stdout).toBe(
      "M parts/part-1.txt  +1 -1\nA parts/part-2.txt  +2 -0\n2 files (1 added, 1 changed), 3 lines added, 1 removed\n",
    );
  });

  it("refuses what is not accepted yet", async () => {
    expect(await bench.run(["diff", "part", "--at", "1..3"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/has no files of instruction 3: it has accepted instructions up to 2\.\nNext: /),
    });
  });
});

describe("a range of instructions", () => {
  it.each([
    [undefined, { from: 0, to: undefined }],
    ["4", { from: 3, to: 4 }],
    ["0", { from: 0, to: 0 }],
    ["2..5", { from: 2, to: 5 }],
    ["2..", { from: 2, to: undefined }],
    ["..5", { from: 0, to: 5 }],
  ])("is read from %j", (given, range) => expect(readRange(given)).toEqual(range));

  it.each(["", "..", "5..2", "a", "1...2", "-1", "1.2"])("is not %j", (given) => {
    expect(() => readRange(given)).toThrow("--at takes an instruction, or two from low to high");
  });
});
