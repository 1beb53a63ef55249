import { afterEach, beforeEach, expect, it } from "vitest";
import { aBench, type Bench } from "../../../test/doubles/command.ts";
import { startProgramServer } from "../../../test/servers/program-server.ts";
import type { ScriptedServer } from "../../../test/servers/scripted-openai.ts";

let bench: Bench;
let server: ScriptedServer;
beforeEach(async () => {
  bench = aBench();
  server = await startProgramServer({ instructions: 2 });
});
afterEach(async () => {
  await server.close();
  bench.remove();
});

it("changes how long a check may take, by its flag or by the variable, and says which variable counts", async () => {
  const task = "Write two parts.\n\n1. The first part.\n2. The second part.";
  const began = await bench.run([task, "--base-url", server.url, "--model", "scripted", "--max-turns", "2"]);
  expect(began.code).toBe(7);

  Object.assign(bench.env, { L2MAC_CHECK_MINUTES: "12", L2MAC_STEPS: "5", L2MAC_MODEL: "another" });
  const heard = await bench.run(["resume", "--max-turns", "3"]);
  expect(heard.stderr).toContain("L2MAC_CHECK_MINUTES is set, and counts for this run.\n");
  expect(heard.stderr).not.toMatch(/L2MAC_STEPS|L2MAC_MODEL is set/);
  expect((await bench.run(["log"])).stdout).toContain("at most 12 minutes for a check");

  const resumed = await bench.run(["resume", "--max-turns", "100", "--check-minutes", "7"]);
  expect(resumed).toMatchObject({ code: 0, stderr: expect.not.stringContaining("L2MAC_CHECK_MINUTES is set") });
  expect((await bench.run(["log"])).stdout).toContain("at most 7 minutes for a check");
  const { options } = JSON.parse((await bench.run(["status", "--json"])).stdout);
  expect(options).toMatchObject({ checkMinutes: 7, budget: { turns: 100 } });
});
