/** Forking a run through the command, here and at a server: which calls it makes, and what it refuses. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBench, type Bench, type Ended, type Started } from "../doubles/command.ts";
import { answerTo } from "../servers/program-server.ts";
import { type ScriptedServer, startScriptedServer } from "../servers/scripted-openai.ts";

const TASK = "Write three parts.";

let models: ScriptedServer;
let there: Bench;
let here: Bench;
let serving: Started;
let address: string;
beforeAll(async () => {
  models = await startScriptedServer({ answer: (request) => answerTo(request, { instructions: 3 }) });
  there = aBench({ OPENAI_BASE_URL: models.url, L2MAC_MODEL: "scripted" });
  serving = there.start(["serve", "--port", "0"]);
  await serving.says("Ctrl-C stops");
  address = await serving.answers();
  here = aBench({ L2MAC_API_URL: address });
  expect(await here.run([TASK, "--name", "origin"])).toMatchObject({ code: 0 });
  expect(await there.run([TASK, "--name", "local"])).toMatchObject({ code: 0 });
}, 300_000);
afterAll(async () => {
  serving.child.kill("SIGKILL");
  await serving.ended();
  await models.close();
  here.remove();
  there.remove();
});

const statusOf = async (bench: Bench, name: string) => JSON.parse((await bench.run(["status", name, "--json"])).stdout);

const refusedWith = ({ code, stderr }: Ended, problem: RegExp): void => {
  expect(code).toBe(2);
  const said = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("Remote: "));
  expect(said[0]).toMatch(problem);
  expect(said.slice(1).every((line) => line.startsWith("Next: ") || line.startsWith("  or: "))).toBe(true);
};

describe("fork --at", () => {
  it("makes exactly the calls of what is left, and all that it inherits can be looked at", async () => {
    const origin = "local";
    const before = await statusOf(there, origin);
    const asked = models.requests.length;
    const name = `${origin}-fork`;
    const { code, stderr } = await there.run(["fork", origin, "--at", "2", "--name", name]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("✔ 3/3 Part 3") });
    const run = await statusOf(there, name);
    expect(run).toMatchObject({ status: "completed", forkedFrom: { run: before.id, at: "2" }, instructions: 3 });
    expect(models.requests.length - asked).toBe(run.calls);
    expect(run.calls).toBeLessThan(before.calls);
    expect(await statusOf(there, origin)).toEqual(before);
    expect((await there.run(["status", name])).stdout).toMatch(/fork of +run \w{6} at 2/);
    expect((await there.run(["tree", name, "--at", "1"])).stdout).toContain("parts/part-1.txt");
    expect((await there.run(["diff", name, "--at", "2"])).stdout).toContain("parts/part-2.txt");
    expect((await there.run(["blame", name, "parts/part-1.txt"])).stdout).toMatch(/^1\.\d/m);
    expect((await there.run(["show", name, "1.1"])).stdout).toContain("Part 1");
    expect((await there.run(["log", name])).stdout).toContain(`forked from run`);
    expect(await there.run(["git", name, "--out", `${name}-git`])).toMatchObject({ code: 0 });
    expect(await there.run(["replay", name])).toMatchObject({ code: 0 });
    expect(models.requests.length - asked).toBe(run.calls);
  });

  it("does so at a server, and delivers to a folder here", async () => {
    const asked = models.requests.length;
    const { code, stdout } = await here.run(["fork", "origin", "--at", "2", "--name", "sent", "--quiet"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("workspace/sent") });
    const { calls } = await statusOf(here, "sent");
    expect(models.requests.length - asked).toBe(calls);
  });

  it("after a turn asks another model, a file's program and a folder's prompts, each from there on", async () => {
    const program = "1. **Another**\n\n   MARK-3-BEGINS Write the last part.\n";
    writeFileSync(join(there.folder, "rest.md"), program);
    mkdirSync(join(there.folder, "my-prompts"));
    writeFileSync(join(there.folder, "my-prompts", "system.md"), "You write parts.\n");
    const asked = models.requests.length;
    const args = ["fork", "local", "--at", "2.1", "--name", "changed", "--model", "scripted-too", "--unpriced"];
    const done = await there.run([...args, "--program", "rest.md", "--prompts", "my-prompts", "--quiet"]);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    const bodies = models.requests
      .slice(asked)
      .map(({ body }) => body as { model: string; messages: { content: string }[] });
    expect(bodies.every(({ model }) => model === "scripted-too")).toBe(true);
    expect(bodies.every(({ messages }) => messages[0]?.content.startsWith("You write parts."))).toBe(true);
    const { stdout } = await there.run(["show", "changed"]);
    expect(stdout).toContain("Another");
    expect(await there.run(["replay", "changed"])).toMatchObject({ code: 0 });
  });

  it("that is wrong is refused in one line, and nothing is created", async () => {
    const runs = (await here.run(["list", "--json"])).stdout;
    const fork = (...args: string[]) => here.run(["fork", "origin", ...args]);
    refusedWith(await fork(), /^l2mac: fork needs --at STEP\[\.TURN\]/);
    refusedWith(await fork("--at", "0"), /^l2mac: --at takes an instruction, such as 3, .* "0" is neither\.$/);
    refusedWith(
      await fork("--at", "9"),
      /^l2mac: Run \w{26} cannot be forked at 9\. It can be forked after instruction 1 to 3/,
    );
    refusedWith(
      await fork("--at", "1.9"),
      /^l2mac: Run \w{26} cannot be forked at 1\.9: there is no such committed turn\./,
    );
    refusedWith(
      await fork("--at", "3"),
      /^l2mac: Run \w{26} has no instruction after 3: .* Give a program to go on with\.$/,
    );
    refusedWith(await here.run(["fork", "nowhere", "--at", "1"]), /^l2mac: There is no run nowhere\.$/);
    expect((await here.run(["list", "--json"])).stdout).toBe(runs);
  });
});

describe("POST /runs/{id}/fork", () => {
  it("with one idempotency key makes one run, and another body is refused", async () => {
    const { id } = await statusOf(here, "origin");
    const post = async (body: object) => {
      const headers = { "content-type": "application/json", "idempotency-key": "once" };
      const answer = await fetch(`${address}/runs/${id}/fork`, { method: "POST", headers, body: JSON.stringify(body) });
      return { status: answer.status, json: (await answer.json()) as { id: string; fields?: { field: string }[] } };
    };
    const first = await post({ at: "2" });
    expect(first.status).toBe(202);
    expect(await post({ at: "2" })).toMatchObject({ status: 202, json: { id: first.json.id } });
    expect(await post({ at: "1" })).toMatchObject({ status: 422 });
    expect(await post({ at: "x" })).toMatchObject({ status: 400, json: { fields: [{ field: "at" }] } });
  });
});
