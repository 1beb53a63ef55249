/** `l2mac export`: what a run did as a trajectory, as others read it. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AtifTrajectory } from "../../lib/core/trajectory/atif.ts";
import { aBench, type Bench } from "../doubles/command.ts";
import { startProgramServer } from "../servers/program-server.ts";

const hasHarbor = spawnSync("python3", ["-c", "import harbor.models.trajectories"]).status === 0;
const checker = fileURLToPath(new URL("check_trajectory.py", import.meta.url));

/** One run of three instructions, each of which writes a file of its own. */
let bench: Bench;
beforeAll(async () => {
  const server = await startProgramServer({ instructions: 3, ordinaryOnly: true });
  bench = aBench({ OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url });
  const { code, stderr } = await bench.run(["Write the parts.", "--model", "scripted", "--name", "part"]);
  expect(code, stderr).toBe(0);
  await server.close();
});
afterAll(() => bench.remove());

async function exported(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await bench.run(["export", ...args]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("4 steps. Terms of a model's provider may forbid")]);
  return stdout;
}

describe("l2mac export", () => {
  it("writes one trajectory of the run, with one of each instruction, their calls and their costs", async () => {
    const trajectory: AtifTrajectory = JSON.parse(await exported());
    const { subagent_trajectories: parts = [], steps } = trajectory;
    expect(steps.map(({ step_id }) => step_id)).toEqual([1, 2, 3, 4, 5]);
    expect(parts).toHaveLength(4);
    for (const { steps: own } of parts) {
      const agent = own.filter(({ source }) => source === "agent");
      expect(agent.every(({ metrics }) => (metrics?.prompt_tokens ?? 0) > 0)).toBe(true);
      const answered = agent.flatMap(({ observation }) => observation?.results ?? []);
      expect(answered.every(({ source_call_id }) => source_call_id !== undefined)).toBe(true);
    }
  });

  it.skipIf(!hasHarbor)("writes a trajectory that Harbor reads (needs harbor of PyPI)", async () => {
    const path = bench.write("trajectory.json", await exported("part", "--format", "atif"));
    const { stdout, stderr } = spawnSync("python3", [checker, path], { encoding: "utf8" });
    expect([stdout.trim(), stderr]).toEqual(["5 4", ""]);
  });

  it("refuses what it cannot export, and says what to do", async () => {
    const cases: [string[], number, string][] = [
      [["export", "--format", "csv"], 2, '"csv" is none of them'],
      ...["openai", "sharegpt"].map((format): [string[], number, string] => [
        ["export", "--format", format],
        2,
        `The format ${format} was removed. Use --format atif`,
      ]),
      [["export", "--proven"], 2, "asked for no evidence"],
      [["export", "nosuchrun"], 2, "nosuchrun"],
    ];
    for (const [args, code, message] of cases) {
      const ended = await bench.run(args);
      expect([ended.code, ended.stdout]).toEqual([code, ""]);
      expect(ended.stderr).toContain(message);
    }
  });
});
