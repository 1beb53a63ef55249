/** What people see of a run that waits for its model server, and how they stop it: by the command and by the API. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { aBench, type Bench } from "../doubles/command.ts";
import { startProgramServer } from "../servers/program-server.ts";
import { rateLimited } from "../servers/scripted-faults.ts";
import type { ScriptedServer } from "../servers/scripted-openai.ts";

let server: ScriptedServer;
let bench: Bench;
beforeAll(async () => {
  server = await startProgramServer({ instructions: 3, faults: { 4: rateLimited({ "retry-after": "72000" }) } });
  bench = aBench({ OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url });
});
afterAll(async () => {
  bench.remove();
  await server.close();
});

it("status, list and progress say until when it waits, and cancel ends it without waiting for that", async () => {
  const given = ["run", "Write many text files.", "--model", "gpt-4o", "--out", "out", "--no-tests"];
  const running = bench.start(given);
  await running.says("Next try at");
  const status = await bench.run(["status", "--json"]);
  const run = JSON.parse(status.stdout);
  expect(run).toMatchObject({ status: "waiting", reason: "rate_limited", alive: true });
  const left = Date.parse(run.waitUntil) - Date.now();
  expect(left).toBeGreaterThan(19.9 * 3_600_000);
  expect(left).toBeLessThan(20.1 * 3_600_000);

  const shown = await bench.run(["status"]);
  expect(shown.stdout).toMatch(/^status +waiting \(rate limited\), next try in (19h59|20h0\d)$/m);
  expect(shown.stdout).toMatch(/^until {5}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+$/m);
  expect(shown.stdout).toContain("429");
  expect(shown.stdout).toMatch(/^next +l2mac watch /m);
  expect((await bench.run(["list"])).stdout).toMatch(/waiting \(rate limited\), next try in (19h59|20h0\d)/);
  const [listed = ""] = (await bench.run(["list", "--json"])).stdout.split("\n");
  expect(JSON.parse(listed)).toMatchObject({ waitUntil: run.waitUntil });

  const cancelled = await bench.run(["cancel"]);
  expect(cancelled).toMatchObject({ code: 0, stderr: expect.stringContaining("is cancelled") });
  const ended = await running.ended();
  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(/Next try at (\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d UTC/);
  expect(ended.stderr).toMatch(/^The run was cancelled on request\.$/m);
  expect(ended.stderr).toMatch(/^Next: l2mac resume /m);
  expect(server.requests).toHaveLength(4);
  const after = JSON.parse((await bench.run(["status", "--json"])).stdout);
  expect(after).not.toHaveProperty("waitUntil");
});
