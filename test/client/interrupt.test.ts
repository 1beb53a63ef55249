/** Leaving a run that is computed elsewhere: it goes on, and is found, cancelled or fetched later. */
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aBench, type Bench, type Started } from "../doubles/command.ts";
import { startProgramServer } from "../servers/program-server.ts";
import { held } from "../servers/scripted-faults.ts";
import type { ScriptedServer } from "../servers/scripted-openai.ts";

let models: ScriptedServer;
let letGo: () => void;
let there: Bench;
let here: Bench;
let serving: Started;
beforeEach(async () => {
  // Planned and reflected upon, then part 1 in two turns; the answer after them does not come.
  const until = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  models = await startProgramServer({ instructions: 3, faults: { 5: held(until) } });
  there = aBench({ OPENAI_BASE_URL: models.url, L2MAC_MODEL: "scripted" });
  serving = there.start(["serve", "--port", "0"]);
  await serving.says("Ctrl-C stops");
  here = aBench({ L2MAC_API_URL: await serving.answers() });
});
afterEach(async () => {
  letGo();
  serving.child.kill("SIGKILL");
  await serving.ended();
  await models.close();
  here.remove();
  there.remove();
});

async function left(signal: NodeJS.Signals, ...args: string[]) {
  const started = here.start(["Write three parts.", ...args]);
  await started.says("▶ 2/3 Part 2");
  started.child.kill(signal);
  return started.ended();
}

describe("a run that is computed elsewhere", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("goes on after %s, and is fetched to where it should have gone", async (signal, code) => {
    const ended = await left(signal, "--out", "mine");
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toMatch(
      /The run goes on at http:.*, and costs at most its ceilings\.\nNext: l2mac watch (\w{6})\n/,
    );
    expect((await here.run(["status"])).stdout).toMatch(/status +running, being computed\n/);
    letGo();
    expect((await here.run(["watch"])).code).toBe(0);
    expect(await here.run(["get"])).toMatchObject({ code: 0, stdout: `${join(here.folder, "mine")}\n` });
    expect(here.read("mine/parts/part-3.txt")).toBe("part 3\nof many\n");
  });

  it("is cancelled from here, and what is accepted is fetched, also before it has stopped", async () => {
    await left("SIGINT");
    const cancelled = await here.run(["cancel"]);
    expect(cancelled).toMatchObject({ code: 0, stderr: expect.stringContaining("stops at its next commit") });
    expect((await here.run(["get", "--out", "so-far"])).code).toBe(0);
    expect(here.read("so-far/parts/part-1.txt")).toBe("part 1\nof many\n");
    letGo();
    const watched = await here.run(["watch"]);
    expect(watched).toMatchObject({ code: 1, stderr: expect.stringMatching(/Next: l2mac resume \w{6}\n/) });
    const resumed = await here.run(["resume"]);
    expect(resumed).toMatchObject({ code: 0, stdout: `${join(here.folder, "so-far")}\n` });
  });

  it("is followed by two at once, one of whom leaves", async () => {
    await left("SIGINT");
    const watching = here.start(["watch"]);
    await watching.says("▶ 2/3 Part 2");
    const log = here.start(["log", "--follow", "--json"]);
    watching.child.kill("SIGINT");
    expect((await watching.ended()).code).toBe(130);
    letGo();
    const said = (await log.ended()).stdout.trim().split("\n");
    expect(JSON.parse(said.at(-1) ?? "")).toMatchObject({ type: "ended", status: "completed" });
  });
});
