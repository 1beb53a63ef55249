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

it("changes how long a check may take, and says which variables it leaves to new runs", async () => {
  const task = "Write two parts.\n\n1. The first part.\n2. The second part.";
  const began = await bench.run([task, "--base-url", server.url, "--model", "scripted", "--max-turns", "2"]);
  expect(began.code).toBe(7);

  Object.assign(bench.env, { L2MAC_CHECK_MINUTES: "12", L2MAC_STEPS: "5" });
  const kept = await bench.run(["resume", "--max-turns", "3"]);
  expect(kept.stderr).toContain(
    "L2MAC_CHECK_MINUTES holds for new runs, and this one keeps what it has: --check-minutes changes it.\n",
  );
  expect(kept.stderr).not.toContain("L2MAC_STEPS");

  const resumed = await bench.run(["resume", "--max-turns", "100", "--check-minutes", "7"]);
  expect(resumed).toMatchObject({ code: 0, stderr: expect.not.stringContaining("holds for new runs") });
  expect((await bench.run(["log"])).stdout).toContain("at most 7 minutes for a check");
  const { options } = JSON.parse((await bench.run(["status", "--json"])).stdout);
  expect(options).toMatchObject({ checkMinutes: 7, budget: { turns: 100 } });
});
