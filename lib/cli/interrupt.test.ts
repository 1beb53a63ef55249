import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aBench, type Bench, type Started } from "../../test/doubles/command.ts";
import { startProgramServer } from "../../test/servers/program-server.ts";
import { held } from "../../test/servers/scripted-faults.ts";
import type { ScriptedServer } from "../../test/servers/scripted-openai.ts";

const TASK = "Write three parts.";

let bench: Bench;
let server: ScriptedServer;
let letGo: () => void;
beforeEach(async () => {
  bench = aBench();
  // Planned and reflected upon, then part 1 in two turns; the answer after them does not come.
  const until = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  server = await startProgramServer({ instructions: 3, faults: { 5: held(until) } });
});
afterEach(async () => {
  letGo();
  await server.close();
  bench.remove();
});

const begun = async (args: string[] = []): Promise<Started> => {
  const started = bench.start([TASK, ...args, "--base-url", server.url, "--model", "scripted"]);
  await started.says("▶ 2/3 Part 2");
  return started;
};

describe("a run that is computed", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("stops at %s, keeps what it has, and says how it goes on", async (signal, code) => {
    const started = await begun();
    started.child.kill(signal);
    const ended = await started.ended();
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toMatch(/Kept: 1 of 3 instructions/);
    // What was sent; 16,384 tokens more were reserved.
    expect(ended.stderr).toMatch(
      /^Cost: .*\nReserved: .* and \d\.\d+k tokens of it are reserved for 1 interrupted call/m,
    );
    const [, command = ""] = /Next: l2mac (.*)$/m.exec(ended.stderr) ?? [];
    expect((await bench.run(["list"])).stdout).toContain("waiting (interrupted)");
    letGo();
    const resumed = await bench.run(command.split(" "));
    expect(resumed).toMatchObject({ code: 0, stdout: `${join(bench.folder, "workspace/three-parts")}\n` });
    expect(resumed.stderr).not.toContain("1/3 Part 1");
  });

  it("is no longer watched after SIGINT to its watcher, and goes on", async () => {
    const started = await begun();
    const watching = bench.start(["watch"]);
    await watching.says("▶ 2/3 Part 2");
    watching.child.kill("SIGINT");
    const left = await watching.ended();
    expect(left.code).toBe(130);
    expect(left.stderr).toMatch(
      /Stopped watching\. The run itself is not stopped\.\nNext: l2mac watch \w+\n {2}or: l2mac cancel \w+\n$/,
    );
    letGo();
    expect((await started.ended()).code).toBe(0);
  });

  it("is noted as interrupted by the next command when its process was killed, and goes on", async () => {
    const started = await begun();
    started.child.kill("SIGKILL");
    await started.ended();
    expect((await bench.run(["status"])).stdout).toMatch(/status +waiting \(interrupted\)\n/);
    letGo();
    expect((await bench.run(["resume"])).code).toBe(0);
  });

  it("is cancelled from another terminal, and its files are delivered", async () => {
    const started = await begun();
    const cancelled = await bench.run(["cancel", "three-parts"]);
    expect(cancelled).toMatchObject({ code: 0, stderr: expect.stringContaining("stops at its next commit") });
    letGo();
    const ended = await started.ended();
    expect(ended).toMatchObject({ code: 1, stdout: `${join(bench.folder, "workspace/three-parts")}\n` });
    expect(existsSync(join(bench.folder, "workspace/three-parts/parts/part-1.txt"))).toBe(true);
  });

  it("is watched from another terminal, with the same ending", async () => {
    const started = await begun();
    const watching = bench.start(["watch"]);
    await watching.says("▶ 2/3 Part 2");
    letGo();
    expect((await started.ended()).code).toBe(0);
    const watched = await watching.ended();
    expect(watched).toMatchObject({ code: 0, stderr: expect.stringContaining("Kept: 3 of 3 instructions") });
  });

  it("is not computed twice: resume says who has it", async () => {
    const started = await begun();
    const { code, stderr } = await bench.run(["resume"]);
    expect({ code, said: stderr.includes("l2mac watch") }).toEqual({ code: 2, said: true });
    letGo();
    expect((await started.ended()).code).toBe(0);
  });

  it("whose watcher leaves is none the worse for it", async () => {
    const started = await begun();
    const watching = bench.start(["watch"]);
    await watching.says("▶ 2/3 Part 2");
    watching.child.kill("SIGINT");
    expect((await watching.ended()).code).toBe(130);
    letGo();
    expect((await started.ended()).code).toBe(0);
    expect(readdirSync(join(bench.folder, "workspace")).sort()).toEqual(["three-parts", "three-parts.manifest.json"]);
  });
});
