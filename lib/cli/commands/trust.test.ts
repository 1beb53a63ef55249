/** What comes with a folder: it neither gets the key, nor answers for the user, nor brings runs that are taken for theirs. */
import { cpSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aServer, followed } from "../../../test/api/served.ts";
import { aBench, type Bench } from "../../../test/doubles/command.ts";
import { startProgramServer } from "../../../test/servers/program-server.ts";
import type { ScriptedServer } from "../../../test/servers/scripted-openai.ts";

let bench: Bench;
let theirs: ScriptedServer;
beforeEach(async () => {
  theirs = await startProgramServer({ instructions: 1 });
  bench = aBench({ OPENAI_API_KEY: "the-key-of-the-user" });
});
afterEach(async () => {
  await theirs.close();
  bench.remove();
});

describe("a project that names its own model server", () => {
  it("does not get the key, nor a request, from any command before it is trusted", async () => {
    const config = { baseUrl: theirs.url, model: "scripted", maxTurns: 9, tests: false };
    bench.write("l2mac.config.json", JSON.stringify(config));
    for (const args of [["Add a README."], ["plan", "Add a README."], ["serve", "--port", "0"]]) {
      const { code, stderr } = await bench.run(args);
      expect([code, stderr]).toEqual([
        3,
        expect.stringMatching(/l2mac\.config\.json sets model scripted, baseUrl http:.*\/v1\..*\nNext: l2mac trust/),
      ]);
    }
    expect((await bench.run(["list"])).code).toBe(0);
    expect(theirs.requests).toEqual([]);
    const trusted = await bench.run(["trust"]);
    expect(trusted).toMatchObject({ code: 0, stdout: expect.stringContaining(`baseUrl ${theirs.url}`) });
    expect((await bench.run(["Add a README.", "--json"])).code).not.toBe(3);
    expect(theirs.requests.length).toBeGreaterThan(0);
  });

  it("is named by the doctor, which asks the user's own server alone", async () => {
    bench.write("l2mac.config.json", JSON.stringify({ baseUrl: theirs.url }));
    bench.env.OPENAI_BASE_URL = "";
    const mine = await startProgramServer({ instructions: 1 });
    bench.configure({ baseUrl: mine.url });
    const { code, stdout } = await bench.run(["doctor"]);
    await mine.close();
    expect([code, stdout]).toEqual([3, expect.stringMatching(/trust +.*sets baseUrl /)]);
    expect(theirs.requests).toEqual([]);
  });
});

describe("a home that comes with a folder", () => {
  it("is not opened by any command until it is trusted, so that its runs name no server and no folder", async () => {
    const other = aBench({ OPENAI_API_KEY: "another-key" });
    await other.run(["Write a part.", "--base-url", theirs.url, "--model", "scripted", "--no-tests"]);
    cpSync(join(other.folder, ".l2mac"), join(bench.folder, ".l2mac"), { recursive: true });
    other.remove();
    const asked = theirs.requests.length;
    for (const args of [["list"], ["get"], ["resume"], ["open"], ["run", "--rehearse"], ["doctor"]]) {
      const { code, stderr, stdout } = await bench.run(args);
      if (args[0] !== "doctor")
        expect([args, code, stderr]).toEqual([args, 3, expect.stringMatching(/mark[\s\S]*l2mac trust/)]);
      expect(stdout).not.toContain("Write a part");
    }
    expect(theirs.requests.length).toBe(asked);
    expect((await bench.run(["trust"])).stdout).toMatch(/The runs in .*\.l2mac count as yours/);
    expect((await bench.run(["list"])).stdout).toContain("completed");
    expect((await bench.run(["trust"])).stdout).toBe("Nothing in this folder needs to be trusted.\n");
  });

  it("does not answer whether code may run without a sandbox", async () => {
    bench.env.PATH = "/nonexistent";
    bench.env.L2MAC_UNSEALED = "";
    const task = ["Write a part.", "--model", "scripted", "--base-url", theirs.url];
    const home = join(bench.folder, "home");
    mkdirSync(home);
    writeFileSync(join(home, "unsealed.json"), '{ "unsealed": true }');
    bench.env.L2MAC_HOME = home;
    expect(await bench.run(task)).toMatchObject({ code: 3, stderr: expect.stringContaining("no terminal to ask on") });
  });

  it("is the user's own where a command made it to remember what it fetched from elsewhere", async () => {
    const elsewhere = await aServer();
    const { id } = (await elsewhere.post("/runs", { task: "Keep a tally", model: "rehearsal" })).json;
    await followed(elsewhere, id);
    expect((await bench.run(["get", id, "--remote", elsewhere.url])).code).toBe(0);
    await elsewhere.remove();
    expect(existsSync(join(bench.folder, ".l2mac"))).toBe(true);
    expect((await bench.run(["list"])).code).toBe(0);
  });

  it("is the user's own where a command made it, private to its user, also under another name", async () => {
    await bench.run(["run", "--rehearse"]);
    const home = join(bench.folder, ".l2mac");
    expect([statSync(home).mode & 0o777, statSync(join(home, "owner.json")).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(statSync(join(bench.folder, "config/l2mac/key")).mode & 0o777).toBe(0o600);
    const moved = join(bench.folder, "moved");
    mkdirSync(moved);
    cpSync(home, join(moved, ".l2mac"), { recursive: true });
    expect(existsSync(join(moved, ".l2mac/registry.sqlite"))).toBe(true);
    expect((await bench.run(["list"])).code).toBe(0);
  });
});
