import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aBench, type Bench, type Ended } from "../../../test/doubles/command.ts";
import { startProgramServer } from "../../../test/servers/program-server.ts";
import type { ScriptedServer } from "../../../test/servers/scripted-openai.ts";
import { parseProgramMarkdown } from "../../core/program/program-text.ts";

const TASK = "Write two parts.\n\n1. The first part.\n2. The second part.";

let bench: Bench;
let server: ScriptedServer;
beforeEach(async () => {
  server = await startProgramServer({ instructions: 2 });
  bench = aBench({ OPENAI_BASE_URL: server.url, L2MAC_MODEL: "scripted" });
});
afterEach(async () => {
  await server.close();
  bench.remove();
});

const planned = (): Promise<Ended> => bench.run([TASK, "--approve", "plan", "--name", "two"]);

describe("run --approve plan", () => {
  it("stops with the program on standard output, exit code 9, and what can be done with it", async () => {
    const { code, stdout, stderr } = await planned();
    expect(code).toBe(9);
    expect(parseProgramMarkdown(stdout)).toMatchObject({ instructions: [{ title: "Part 1" }, { title: "Part 2" }] });
    expect(stderr).toMatch(/^Waiting for approval\. Nothing has been executed yet\.$/m);
    expect(stderr).toMatch(/Kept: 0 of 2 instructions, 0 files in the run \w{6}\./);
    expect(stderr).toMatch(
      /Next: l2mac approve (\w{6})\n {2}or: l2mac reject \1\n.*\n {2}or: l2mac approve \1 --program program\.md /,
    );
    expect(stderr).toMatch(/ {2}or: l2mac plan \w{6} --feedback "<words>" {3}\(has the model revise it\)/);
    expect(existsSync(join(bench.folder, "workspace"))).toBe(false);
  });

  it("says with --json how the run stands, and nothing else than JSON", async () => {
    const { code, stdout } = await bench.run([TASK, "--approve", "plan", "--json"]);
    expect(code).toBe(9);
    const said = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(said.at(-1)).toMatchObject({
      type: "result",
      status: "waiting",
      reason: "approval",
      exitCode: 9,
      out: null,
    });
    expect(said.at(-1)).not.toHaveProperty("replacement");
  });

  it("is meant by approve and reject where none is named, also when a later run has ended", async () => {
    await planned();
    expect((await bench.run([TASK, "--name", "later"])).code).toBe(0);
    const { code, stderr } = await bench.run(["reject"]);
    expect(stderr).toMatch(/Run \w{6} \(two\) is rejected/);
    expect(code).toBe(0);
  });

  it("is shown by list, status and watch, which prints the program again", async () => {
    const { stdout: program } = await planned();
    expect((await bench.run(["list"])).stdout).toMatch(/waiting \(approval\) +0\/2/);
    expect((await bench.run(["status"])).stdout).toMatch(/next +l2mac approve \w{6}\n +l2mac reject/);
    expect(await bench.run(["watch"])).toMatchObject({ code: 9, stdout: program });
  });

  it("holds for every run where it is configured", async () => {
    bench.write("l2mac.config.json", JSON.stringify({ approve: "plan" }));
    expect(await bench.run([TASK])).toMatchObject({ code: 9 });
  });
});

describe("approve", () => {
  it("computes in front, as resume does, and delivers where the run was to go", async () => {
    await planned();
    const { code, stdout, stderr } = await bench.run(["approve"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${join(bench.folder, "workspace/two")}\n` });
    expect(stderr).toMatch(/approved: the program is executed\n[\s\S]*✔ 2\/2 Part 2/);
    expect(bench.read("workspace/two/parts/part-2.txt")).toBe("part 2\nof many\n");
  });

  it("executes the program of a file in its place", async () => {
    const { stdout } = await planned();
    bench.write(
      "program.md",
      stdout.replace("**Part 2**", "**Only the second**").replace(/1\. \*\*Part 1[\s\S]*?(?=\d\. \*\*Only)/, ""),
    );
    const { code, stderr } = await bench.run(["approve", "two", "--program", "program.md"]);
    expect(code).toBe(0);
    expect(stderr).toContain("✔ 1/1 Only the second");
    expect(existsSync(join(bench.folder, "workspace/two/parts/part-1.txt"))).toBe(false);
    expect((await bench.run(["replay", "two"])).code).toBe(0);
  });

  it("refuses a file that is no program, or is not there, and the run waits on", async () => {
    await planned();
    bench.write("bad.md", "1. Do it. (R9)\n");
    for (const [file, why] of [
      ["bad.md", /requirements that do not exist: R9/],
      ["none.md", /there is no such file/],
    ] as const) {
      const { code, stderr } = await bench.run(["approve", "--program", file]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(why) });
    }
    expect((await bench.run(["status", "--json"])).stdout).toContain('"reason":"approval"');
  });

  it("is refused for a run that does not wait, and resume for one that does", async () => {
    await planned();
    expect(await bench.run(["resume"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Next: l2mac approve \w{26}/),
    });
    await bench.run(["approve"]);
    const again = await bench.run(["approve", "two"]);
    expect(again).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/was approved already; it is completed now.\nNext: l2mac status/),
    });
  });
});

describe("reject", () => {
  it("ends the run, says what is kept, and resume has it wait again", async () => {
    const { stdout: program } = await planned();
    const rejected = await bench.run(["reject"]);
    expect(rejected).toMatchObject({ code: 0, stdout: "" });
    expect(rejected.stderr).toMatch(
      /is rejected; nothing of its program was executed\. The program is kept[\s\S]*Next: l2mac resume \w{6} {3}\(has it wait/,
    );
    expect((await bench.run(["status"])).stdout).toMatch(/status +cancelled \(rejected\)/);
    expect(await bench.run(["resume"])).toMatchObject({ code: 9, stdout: program });
    expect((await bench.run(["approve"])).code).toBe(0);
  });
});
