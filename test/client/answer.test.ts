/** A question of a run, shown and answered by the command. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askInstead, COLOURS, OPEN_QUESTION } from "../doubles/asked-run.ts";
import { aBench, type Bench } from "../doubles/command.ts";
import { aMachine } from "../doubles/machines.ts";
import { startProgramServer } from "../servers/program-server.ts";
import type { ScriptedServer } from "../servers/scripted-openai.ts";

let bench: Bench;
let server: ScriptedServer;
beforeEach(async () => {
  server = await startProgramServer({ instructions: 2 });
  bench = aBench({ OPENAI_BASE_URL: server.url, L2MAC_MODEL: "scripted" });
});
afterEach(async () => {
  await server.close();
  bench.remove();
});

async function asked(question: Parameters<typeof askInstead>[2]): Promise<void> {
  await bench.run(["Write two parts.", "--approve", "plan", "--name", "asks"]);
  const machine = aMachine({ home: join(bench.folder, ".l2mac") });
  const [run] = (await machine.registry.runs({ owner: "local", limit: 1 })).runs;
  await askInstead(machine, run?.id ?? "", question);
  machine.close();
}

describe("answer", () => {
  it("shows the whole question without an answer, as status and watch show how to answer", async () => {
    await asked(COLOURS);
    const shown = await bench.run(["answer"]);
    expect(shown).toMatchObject({
      code: 0,
      stdout: "Which colour?\nOne of these.\n\n  1) Red\n  2) Green\n\nThe answer becomes colour.md.\n",
      stderr: expect.stringMatching(/Next: l2mac answer \w{6} --choice "<number>"/),
    });
    const { stdout: status } = await bench.run(["status"]);
    expect(status).toMatch(/status +waiting \(answer\)\n +Waiting for an answer: Which colour\? One of these\./);
    expect(status).toMatch(/next +l2mac answer \w{6} --choice "<number>" +\(1: Red, 2: Green\)/);
    expect(await bench.run(["watch"])).toMatchObject({ code: 9, stdout: shown.stdout });
    expect(JSON.parse((await bench.run(["answer", "--json"])).stdout)).toMatchObject({
      step: 1,
      choices: COLOURS.choices,
    });
  });

  it("goes on with a choice, and delivers; given again it is the same answer", async () => {
    await asked(COLOURS);
    const { code, stdout, stderr } = await bench.run(["answer", "--choice", "2"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${join(bench.folder, "workspace/asks")}\n` });
    expect(stderr).toMatch(/answered 1\/2 Which colour\?: Green/);
    expect(bench.read("workspace/asks/colour.md")).toBe("Green\n");
    expect(existsSync(join(bench.folder, "workspace/asks/parts/part-2.txt"))).toBe(true);
    expect((await bench.run(["answer", "asks", "Green"])).code).toBe(0);
    expect(await bench.run(["answer", "asks", "Red"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("was answered already: Green"),
    });
    expect(await bench.run(["answer"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("No run waits for an answer."),
    });
  });

  it("takes a text of a file, or of standard input", async () => {
    await asked(OPEN_QUESTION);
    expect((await bench.run(["answer", "asks", "--file", "-"], { input: "The Engine\nof Ada\n" })).code).toBe(0);
    expect(bench.read("workspace/asks/docs/name.md")).toBe("The Engine\nof Ada\n");
  });

  it("refuses what is no answer, and the run waits on", async () => {
    await asked(COLOURS);
    const refused: [string[], string][] = [
      [["asks", "Red", "--choice", "1"], "Give one answer"],
      [["asks", "--choice", "red"], "--choice takes the number"],
      [["asks", "--choice", "3"], "There is no choice 3: 1) Red, 2) Green."],
      [["asks", "--file", "no.md"], "--file"],
      [["asks", " "], "The answer is empty."],
    ];
    for (const [args, problem] of refused) {
      const { code, stderr } = await bench.run(["answer", ...args]);
      expect({ code, stderr }, problem).toEqual({ code: 2, stderr: expect.stringContaining(problem) });
    }
    expect((await bench.run(["list"])).stdout).toContain("waiting (answer)");
  });
});
