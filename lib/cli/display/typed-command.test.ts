import { expect, it } from "vitest";
import { aBench } from "../../../test/doubles/command.ts";
import { asTyped, typedCommand } from "./typed-command.ts";

it.each([
  ["in a shell", {}, "l2mac"],
  ["behind npx", { npm_command: "exec", npm_lifecycle_event: "npx" }, "npx l2mac"],
  ["by a script of npm", { npm_command: "run-script", npm_lifecycle_event: "start" }, "npx l2mac"],
])("typed %s, the next command begins as that one did", (_, env, typed) => expect(typedCommand(env)).toBe(typed));

it.each([
  ["Next: l2mac resume 38KYQ3 --budget 10", "Next: npx l2mac resume 38KYQ3 --budget 10"],
  ["look with l2mac log X, then l2mac resume X", "look with npx l2mac log X, then npx l2mac resume X"],
  ['l2mac "<task>"   (or: l2mac run --rehearse)', 'npx l2mac "<task>"   (or: npx l2mac run --rehearse)'],
  ["export A=b; npx l2mac deploy", "export A=b; npx l2mac deploy"],
  ["l2mac 0.1.0 · run 01M (a)", "l2mac 0.1.0 · run 01M (a)"],
  ["l2mac: There is no run x.", "l2mac: There is no run x."],
  [
    "that this version of l2mac cannot read; see ./l2mac run",
    "that this version of l2mac cannot read; see ./l2mac run",
  ],
])("%s", (text, shown) => {
  expect(asTyped(text, "npx l2mac")).toBe(shown);
  expect(asTyped(text, "l2mac")).toBe(text);
});

it("whoever came by npx is shown npx in help, errors and endings, and the task as it was written", async () => {
  const bench = aBench({ npm_command: "exec" });
  const TASK = "Explain what l2mac run does";
  const { stderr } = await bench.run([TASK, "--rehearse", "--max-turns", "1"]);
  expect(stderr).toMatch(/^Next: npx l2mac resume \w+ --max-turns 2$/m);
  expect(stderr).toContain(`task: ${TASK}\n`);
  expect((await bench.run(["status"])).stdout).toMatch(/^next +npx l2mac resume /m);
  expect((await bench.run(["log", "nobody"])).stderr).toContain("Next: npx l2mac list\n");
  expect((await bench.run(["help", "log"])).stdout).toContain("Usage: npx l2mac log [run]");
  bench.remove();
});
