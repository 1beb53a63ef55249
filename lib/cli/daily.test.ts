/** The daily ceiling at the command line: where it is configured, what reaching it says, and where it shows. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBench, type Bench, type Ended } from "../../test/doubles/command.ts";
import { startProgramServer } from "../../test/servers/program-server.ts";

const TASK = "Write parts.\n\n1. The first part.\n2. The second part.";
const config = { dailyUsd: 0.05, price: { input: 1, output: 10 }, model: "scripted", contextWindow: 32_000 };

let bench: Bench;
let server: Awaited<ReturnType<typeof startProgramServer>>;
let ended: Ended;
let id: string;
beforeAll(async () => {
  bench = aBench();
  server = await startProgramServer({ instructions: 60, ordinaryOnly: true });
  bench.configure({ ...config, baseUrl: server.url });
  ended = await bench.run([TASK]);
  id = JSON.parse((await bench.run(["status", "--json"])).stdout).id.slice(-6);
});
afterAll(async () => {
  await server.close();
  bench.remove();
});

const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

describe("a run that reaches the daily ceiling of its home", () => {
  it("ends with exit code 7, says when a new day begins, and how it goes on then", () => {
    expect(ended.code).toBe(7);
    expect(ended.stderr).toMatch(/partial: The daily ceiling of all runs together is reached: \$0\.0\d+ of \$0\.05 /);
    expect(ended.stderr).toContain("A new day begins at 00:00 UTC.");
    expect(ended.stderr).toContain(`Next: l2mac resume ${id}   (from 00:00 UTC on ${tomorrow()})`);
  });

  it("is not resumed on the same day: the same sentence, the same exit code", async () => {
    const { code, stderr } = await bench.run(["resume", id]);
    expect(code).toBe(7);
    expect(stderr).toMatch(/The daily ceiling of all runs together is reached: .* A new day begins at 00:00 UTC\./);
    expect(JSON.parse((await bench.run(["status", "--json"])).stdout)).toMatchObject({ status: "partial", epoch: 1 });
  });

  it("shows in status how much of the day all runs have used, here and through the API", async () => {
    const shown = /^today +\$0\.0\d of the daily \$0\.05, all runs together; resets at 00:00 UTC$/m;
    expect((await bench.run(["status"])).stdout).toMatch(shown);
    expect(JSON.parse((await bench.run(["status", "--json"])).stdout).day).toMatchObject({ limitMicroUsd: 50_000 });
    const serving = bench.start(["serve", "--port", "0"]);
    await serving.says("Serving");
    const remote = await bench.run(["status", "--remote", await serving.answers()]);
    expect(remote.stdout).toMatch(shown);
    serving.child.kill("SIGINT");
    await serving.ended();
  });

  it("goes on at once where the ceiling is raised for it", async () => {
    const raised = { ...config, dailyUsd: 50, baseUrl: server.url };
    bench.configure(raised);
    expect(await bench.run(["resume", id])).toMatchObject({ code: 0 });
    bench.configure({ ...raised, dailyUsd: 0.05 });
    expect((await bench.run(["doctor"])).stdout).toMatch(/today .*of the daily \$0\.05, all runs together/);
  });
});

describe("the setting dailyUsd", () => {
  it("is written by init, taken from the environment, and refused where it is no amount", async () => {
    const fresh = aBench();
    const { stdout } = await fresh.run(["init", "--user", "--yes", "--daily-usd", "20"]);
    expect(JSON.parse(readFileSync(stdout.trim(), "utf8"))).toMatchObject({ dailyUsd: 20 });
    fresh.write("l2mac.config.json", '{"dailyUsd": 0}');
    expect((await fresh.run(["doctor"])).stdout).toMatch(/dailyUsd/);
    fresh.remove();
    const odd = aBench({ L2MAC_DAILY_USD: "lots" });
    expect(await odd.run([TASK])).toMatchObject({ code: 3, stderr: expect.stringContaining("L2MAC_DAILY_USD") });
    odd.remove();
  });
});
