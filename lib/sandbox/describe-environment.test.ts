import { afterAll, expect, it } from "vitest";
import { evaluation, removeFolders, toolchain } from "../../test/doubles/evaluation.ts";
import { describeEnvironment } from "./describe-environment.ts";

afterAll(removeFolders);

it("names the programs that commands find, by the versions that these say themselves", async () => {
  const { programs, system } = describeEnvironment(toolchain);
  expect(system).toMatch(/^\w+ \w+$/);
  expect(Object.keys(programs)).toEqual(expect.arrayContaining(["node", ...Object.keys(toolchain.tools)]));
  for (const version of Object.values(programs)) expect(version).toMatch(/^(?:\d+(?:\.\d+)*)?$/);
  const { command } = await evaluation({ "a.txt": "" }, { command: { argv: ["node", "--version"] } });
  expect(command?.stdout).toBe(`v${programs.node}\n`);
});
