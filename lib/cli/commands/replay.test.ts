import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../../../test/doubles/command.ts";
import { startProgramServer } from "../../../test/servers/program-server.ts";
import { projectFile } from "../../files/project-files.ts";

let bench: Bench;
beforeAll(async () => {
  const server = await startProgramServer({ instructions: 2 });
  bench = aBench({ OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url });
  const args = ["Write text files.", "--model", "scripted", "--name", "whole"];
  expect(await bench.run(args)).toMatchObject({ code: 0 });
  await server.close();
  mkdirSync(join(bench.folder, "pack"));
});
afterAll(() => bench.remove());

const system = () => readFileSync(join(projectFile("prompts"), "codebase", "system.md"), "utf8");

describe("a replay with other prompts", () => {
  it("ends 0 where they ask the same", async () => {
    bench.write("pack/system.md", system());
    expect(await bench.run(["replay", "whole", "--prompts", "pack"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("the same files"),
    });
  });

  it("ends 1 and shows the first line that is asked otherwise, with the turn that asks it", async () => {
    bench.write("pack/system.md", `${system().trimEnd()}\nWrite in haste.\n`);
    const { code, stdout } = await bench.run(["replay", "whole", "--prompts", "pack"]);
    expect(code, stdout).toBe(1);
    expect(stdout).toContain("In instruction 1, turn 1: message 1 (system) differs.");
    expect(stdout).toMatch(/^\+ Write in haste\.$/m);
    const json = JSON.parse((await bench.run(["replay", "whole", "--prompts", "pack", "--json"])).stdout);
    expect(json).toMatchObject({ same: false, difference: { instruction: 1, turn: 1 } });
  });

  it("shows a tool that is offered no more", async () => {
    bench.write("pack/system.md", system());
    const declared = JSON.parse(readFileSync(join(projectFile("prompts"), "codebase", "pack.json"), "utf8"));
    const tools = ["read_files", "write_files", "run_checks", "complete_instruction"];
    bench.write("pack/pack.json", JSON.stringify({ ...declared, tools }));
    const { code, stdout } = await bench.run(["replay", "whole", "--prompts", "pack"]);
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringMatching(/the tool \w+ differs/) });
  });

  it("says what is wrong with a pack before anything is replayed", async () => {
    expect(await bench.run(["replay", "whole", "--prompts", "nowhere"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("nowhere holds no prompt pack"),
    });
  });
});
