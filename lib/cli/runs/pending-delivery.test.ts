import { existsSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { aBench, type Bench, type Ended } from "../../../test/doubles/command.ts";
import { startProgramServer } from "../../../test/servers/program-server.ts";
import { reply } from "../../../test/servers/scripted-faults.ts";

const TASK = "Write three parts.";
const PRELOAD = `--import=${new URL("../../../test/doubles/dies-at.mjs", import.meta.url).href}`;

let server: Awaited<ReturnType<typeof startProgramServer>>;
beforeAll(async () => {
  server = await startProgramServer({ instructions: 3, ordinaryOnly: true });
});
afterAll(() => server.close());

let bench: Bench;
beforeEach(() => {
  bench = aBench();
});
afterEach(() => bench.remove());

const out = (): string => join(realpathSync(bench.folder), "out");
const begin = (...more: string[]): Promise<Ended> => beginAt(server.url, ...more);
const beginAt = (url: string, ...more: string[]): Promise<Ended> =>
  bench.run([TASK, "--base-url", url, "--model", "scripted", "--out", "out", ...more]);

/** Killed at the moment at which it would put that file in its place. */
async function killedAt(place: string, command: () => Promise<Ended>): Promise<void> {
  Object.assign(bench.env, { NODE_OPTIONS: PRELOAD, L2MAC_DIES_AT: place });
  const { code } = await command();
  Object.assign(bench.env, { NODE_OPTIONS: "", L2MAC_DIES_AT: "" });
  expect([null, 137]).toContain(code);
}

const parts = (): string[] => (existsSync(out()) ? readdirSync(join(out(), "parts")).sort() : []);
const ALL = ["part-1.txt", "part-2.txt", "part-3.txt"];

describe("a run whose command was killed while it delivered", () => {
  it.each([
    ["before the first file", "delivered.json"],
    ["between two files", "out/parts/part-2.txt"],
  ])("%s is delivered by resume, which asks no model", async (_, place) => {
    await killedAt(place, () => begin());
    const paid = server.requests.length;
    const id = JSON.parse((await bench.run(["status", "--json"])).stdout).id.slice(-6);
    const { stdout } = await bench.run(["status"]);
    expect(stdout).toMatch(/^status +completed$/m);
    expect(stdout).toContain(`files     ${out()} (not delivered yet: l2mac resume ${id})\n`);
    const resumed = await bench.run(["resume"]);
    expect(resumed).toMatchObject({ code: 0, stdout: `${out()}\n` });
    expect(resumed.stderr).toMatch(/Kept: 3 of 3 instructions, 3 files in /);
    expect({ parts: parts(), asked: server.requests.length }).toEqual({ parts: ALL, asked: paid });
    expect((await bench.run(["status"])).stdout).toContain(`files     ${out()}\n`);
    expect(await bench.run(["resume"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("nothing left to do"),
    });
  });

  it("ends then as that run's end does, and with more goes on", async () => {
    await killedAt("out/parts/part-1.txt", () => begin("--max-turns", "5"));
    const resumed = await bench.run(["resume", "--json"]);
    expect(resumed.code).toBe(7);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ type: "result", status: "partial", out: out(), exitCode: 7 });
    expect(parts()).toEqual(["part-1.txt"]);
    await killedAt("delivered.json", () => bench.run(["resume", "--max-turns", "50"]));
    expect(parts()).toEqual(["part-1.txt"]);
    expect((await bench.run(["status"])).stdout).toContain("(not delivered yet: l2mac resume ");
    expect(await bench.run(["resume"])).toMatchObject({ code: 0, stdout: `${out()}\n` });
    expect(parts()).toEqual(ALL);
  });

  it("goes on with resume where it failed, and is delivered at its next end", async () => {
    const refusal = reply(401, { error: { message: "wrong key" } });
    const strict = await startProgramServer({ instructions: 3, ordinaryOnly: true, faults: { 6: refusal } });
    try {
      await killedAt("delivered.json", () => beginAt(strict.url));
      expect((await bench.run(["status"])).stdout).toMatch(/^files .*\(not delivered yet: l2mac get \w{6}\)$/m);
      expect(await bench.run(["resume"])).toMatchObject({ code: 0, stdout: `${out()}\n` });
      expect(parts()).toEqual(ALL);
    } finally {
      await strict.close();
    }
  });

  it("is delivered by get as well", async () => {
    await killedAt("out/parts/part-2.txt", () => begin());
    expect(await bench.run(["get"])).toMatchObject({ code: 0, stdout: `${out()}\n` });
    expect(parts()).toEqual(ALL);
    expect((await bench.run(["status"])).stdout).not.toContain("not delivered");
  });
});
