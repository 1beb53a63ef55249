/** How many files a run has, in every view: of a run that stopped inside an instruction, and of one with readable forms. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { aBench, type Bench } from "../../../test/doubles/command.ts";

let bench: Bench;
beforeEach(() => {
  bench = aBench();
});
afterEach(() => bench.remove());

const listed = async () => JSON.parse((await bench.run(["list", "--json"])).stdout);

async function reportOf(): Promise<string> {
  const { stdout } = await bench.run(["report", "--out", "report"]);
  return readFileSync(stdout.trim(), "utf8");
}

it("is what is delivered, and what was not accepted beside it", async () => {
  // Two turns of planning, four of instruction 1, and the first of instruction 2, which writes two files.
  const { stdout, stderr } = await bench.run(["run", "--rehearse", "--max-turns", "7"]);
  const folder = join(bench.folder, "workspace/tally");
  expect(stdout).toBe(`${folder}\n`);
  expect(stderr).toContain(
    `Kept: 1 of 7 instructions, 5 files in ${folder} (7 with what was not accepted), tests 4/4.`,
  );
  const { stdout: status } = await bench.run(["status"]);
  expect(status).toMatch(/^done +1\/7 instructions, 5 files \(7 with what was not accepted\), tests 4\/4$/m);
  expect(await listed()).toMatchObject({ files: 7, outputFiles: 5 });
  expect(await reportOf()).toMatch(/5 files in the run \w{6} \(7 with what was not accepted\)/);
  expect((await bench.run(["resume", "--max-turns", "9"])).stderr).toMatch(/1 of 7 instructions, 5 files .* \(7 with/);
});

it("has the readable forms of a book in it", async () => {
  const { stderr } = await bench.run(["run", "--rehearse", "--domain", "book", "--name", "book"]);
  const [, count = ""] = /^Kept: .*, (\d+) files in /m.exec(stderr) ?? [];
  expect((await bench.run(["status"])).stdout).toMatch(new RegExp(`^done .*, ${count} files$`, "m"));
  const { files, outputFiles } = await listed();
  expect([String(outputFiles), outputFiles - files]).toEqual([count, 3]);
  expect(await reportOf()).toContain(`${count} files in the run`);
});
