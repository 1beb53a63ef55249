import { expect, it } from "vitest";
import { aBench } from "../../../test/doubles/command.ts";
import { launcherIn } from "./shell.ts";

it.each([
  ["in a shell", {}, "l2mac"],
  ["behind npx", { npm_command: "exec", npm_lifecycle_event: "npx" }, "npx l2mac"],
  ["by a script of npm", { npm_command: "run-script", npm_lifecycle_event: "start" }, "npx l2mac"],
])("started %s, the next command begins as that one did", (_, env, launcher) => expect(launcherIn(env)).toBe(launcher));

it("a user of npx sees npx in help, errors and endings, and the task as it was written", async () => {
  const bench = aBench({ npm_command: "exec" });
  const TASK = "Explain what l2mac run does";
  const { stderr } = await bench.run([TASK, "--rehearse", "--max-turns", "1"]);
  expect(stderr).toMatch(/^Next: npx l2mac resume \w+ --max-turns 2$/m);
  expect(stderr).toContain(`task: ${TASK}\n`);
  expect((await bench.run(["status"])).stdout).toMatch(/^next +npx l2mac resume /m);
  expect((await bench.run(["log", "missing"])).stderr).toContain("Next: npx l2mac list\n");
  expect((await bench.run(["help", "log"])).stdout).toContain("Usage: npx l2mac log [run]");
  bench.remove();
});
