import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aBench, type Bench, type Ended } from "../../../test/doubles/command.ts";
import { startProgramServer } from "../../../test/servers/program-server.ts";
import { held } from "../../../test/servers/scripted-faults.ts";

const TASK = "Write two parts.";

let bench: Bench;
beforeEach(() => {
  bench = aBench();
});
afterEach(() => bench.remove());

const waiting = (name: string): Promise<Ended> => bench.run(["plan", "--rehearse", "--name", name]);
const statuses = async (): Promise<string[]> =>
  (await bench.run(["list", "--json"])).stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .map(({ name, status }) => `${name} ${status}`);

describe("of two programs that wait", () => {
  it.each([
    [["approve"], "wait for approval"],
    [["reject"], "wait for approval"],
    [["cancel"], "have not ended"],
    [["delete", "--yes"], "are there"],
  ])("%j guesses none, and names both", async (command, what) => {
    await waiting("one");
    await waiting("two");
    const { code, stderr } = await bench.run(command);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      new RegExp(`Say which run: 2 ${what}: \\w{6} \\(two\\), \\w{6} \\(one\\)\\. Nothing was done\\.`),
    );
    expect(stderr).toMatch(new RegExp(`Next: l2mac ${command[0]} \\w{6} {3}\\(or another of them\\)\n$`));
    expect(await statuses()).toEqual(["two waiting", "one waiting"]);
  });
});

it("a program that waits alone is rejected by name, and then there is none to reject, approve or cancel", async () => {
  await waiting("one");
  expect((await bench.run(["reject"])).stderr).toMatch(/^Run \w{6} \(one\) is rejected;/);
  for (const command of ["reject", "approve"]) {
    const ended = await bench.run([command]);
    expect(ended).toMatchObject({ code: 2, stderr: "l2mac: No run waits for approval.\nNext: l2mac list\n" });
  }
  const { code, stderr } = await bench.run(["cancel"]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: "l2mac: Every run has ended: there is nothing to cancel.\nNext: l2mac list\n",
  });
});

it("cancel takes the one run that is under way, whatever else stands still, and names it", async () => {
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
  const server = await startProgramServer({ instructions: 2, faults: { 4: held(until) } });
  const at = ["--base-url", server.url, "--model", "scripted"];
  const running = bench.start([TASK, "--name", "going", ...at]);
  await running.says("▶ 1/2 Part 1");
  await waiting("later");
  const { code, stderr } = await bench.run(["cancel"]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^Run \w{6} \(going\) stops at its next commit\./);
  letGo();
  await running.ended();
  expect(await statuses()).toEqual(["later waiting", "going cancelled"]);
  await server.close();
});
