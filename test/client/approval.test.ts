/** A program that waits for approval where a server computes: planned, changed, approved and rejected from here. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseProgramMarkdown } from "../../lib/core/program/program-text.ts";
import { aBench, type Bench, type Started } from "../doubles/command.ts";
import { startProgramServer } from "../servers/program-server.ts";
import type { ScriptedServer } from "../servers/scripted-openai.ts";

const TASK = "Write two parts.";

let models: ScriptedServer;
let there: Bench;
let here: Bench;
let serving: Started;
beforeAll(async () => {
  models = await startProgramServer({ instructions: 2 });
  there = aBench({ OPENAI_BASE_URL: models.url, L2MAC_MODEL: "scripted" });
  serving = there.start(["serve", "--port", "0"]);
  await serving.says("Ctrl-C stops");
  here = aBench({ L2MAC_API_URL: await serving.answers() });
});
afterAll(async () => {
  serving.child.kill("SIGKILL");
  await serving.ended();
  await models.close();
  here.remove();
  there.remove();
});

describe("run --approve plan, of a server", () => {
  it("prints the program, waits there, and approve goes on and delivers here", async () => {
    const waiting = await here.run([TASK, "--approve", "plan", "--name", "seen"]);
    expect(waiting.code).toBe(9);
    expect(parseProgramMarkdown(waiting.stdout)).toMatchObject({
      instructions: [{ title: "Part 1" }, { title: "Part 2" }],
    });
    expect((await there.run(["status", "seen"])).stdout).toMatch(/status +waiting \(approval\)/);
    expect(await here.run(["watch", "seen"])).toMatchObject({ code: 9, stdout: waiting.stdout });
    const { code, stdout, stderr } = await here.run(["approve", "seen"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${join(here.folder, "workspace/seen")}\n` });
    expect(stderr).toMatch(/approved: the program is executed[\s\S]*✔ 2\/2 Part 2/);
    const again = await here.run(["approve", "seen"]);
    expect(again).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("was approved already; it is completed now."),
    });
  });

  it("executes another program in its place, and is replayed here from its journal", async () => {
    await here.run([TASK, "--approve", "plan", "--name", "changed"]);
    here.write("other.json", JSON.stringify([{ title: "Only the second", text: "MARK-2-BEGINS Write the files." }]));
    const { code, stderr } = await here.run(["approve", "changed", "--program", "other.json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("✔ 1/1 Only the second") });
    expect(existsSync(join(here.folder, "workspace/changed/parts/part-1.txt"))).toBe(false);
    expect(await here.run(["replay", "changed"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("the same files"),
    });
  });

  it("is rejected from here, with the next command for the same server", async () => {
    await here.run([TASK, "--approve", "plan", "--name", "refused"]);
    const bare = aBench();
    const url = here.env.L2MAC_API_URL ?? "";
    const rejected = await bare.run(["reject", "refused", "--remote", url]);
    expect(rejected).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(`Next: l2mac resume \\w{6} --remote ${url} `),
    });
    const approved = await bare.run(["approve", "refused", "--remote", url]);
    expect(approved).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(`Next: l2mac status \\w{26} --remote ${url}`),
    });
    expect((await there.run(["status", "refused"])).stdout).toMatch(/status +cancelled \(rejected\)/);
    bare.remove();
  });
});

describe("plan, of a server", () => {
  it("prints the program, which waits there, and ends 0", async () => {
    const { code, stdout, stderr } = await here.run(["plan", TASK, "--name", "planned"]);
    expect(code).toBe(0);
    expect(parseProgramMarkdown(stdout)).toMatchObject({ instructions: [{ title: "Part 1" }, { title: "Part 2" }] });
    expect(stderr).toMatch(/Cost: \$0\.00\.\nNext: l2mac approve \w{6}.*\n {2}or: l2mac reject/);
    expect((await here.run(["status", "planned"])).stdout).toMatch(/status +waiting \(approval\)/);
  });
});
