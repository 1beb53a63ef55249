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

describe("run --program, of a program that asks", () => {
  const PROGRAM = [
    { text: "MARK-1-BEGINS Write the first part." },
    {
      kind: "ask",
      title: "Currency",
      question: "Which currency?\nIt is shown.",
      choices: ["Euro", "Swiss franc"],
      saveTo: "docs/currency.md",
    },
    {
      kind: "if",
      condition: { file: "docs/currency.md", matches: "^Swiss" },
      // biome-ignore lint/suspicious/noThenProperty: it is a list, and the language calls it so
      then: [{ text: "MARK-2-BEGINS Round to five centimes." }],
    },
  ];
  const args = ["Write two parts.", "--program", "asks.json"];
  beforeEach(() => void bench.write("asks.json", JSON.stringify(PROGRAM)));

  it("stops with the question on standard output, and goes on by the answer; all is replayed, shown and a commit", async () => {
    const first = await bench.run([...args, "--name", "tally"]);
    expect(first).toMatchObject({ code: 9, stdout: expect.stringContaining("  2) Swiss franc\n") });
    expect(first.stderr).toMatch(/^Waiting for an answer: Which currency\? It is shown\./m);
    expect(first.stderr).toMatch(/Next: l2mac answer \w{6} --choice "<number>" +\(1: Euro, 2: Swiss franc\)/);
    expect(existsSync(join(bench.folder, "workspace/tally"))).toBe(false);
    const { code, stderr } = await bench.run(["answer", "tally", "swiss franc"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("Round to five centimes") });
    expect(bench.read("workspace/tally/docs/currency.md")).toBe("Swiss franc\n");
    expect(await bench.run(["replay", "tally"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("the same"),
    });
    expect((await bench.run(["log", "tally"])).stdout).toMatch(
      /\? 2\/\d Currency[\s\S]*answered 2\/\d Currency: Swiss franc/,
    );
    expect((await bench.run(["show", "tally", "2.1"])).stdout).toContain("Swiss franc");
    expect((await bench.run(["diff", "tally", "--at", "2"])).stdout).toContain("+Swiss franc");
    expect((await bench.run(["blame", "tally", "docs/currency.md"])).stdout).toContain("Swiss franc");
  });

  it("takes JSON out and gives JSON back", async () => {
    const { code, stdout } = await bench.run([...args, "--json"]);
    const last = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
    expect({ code, last }).toMatchObject({
      code: 9,
      last: { type: "result", status: "waiting", reason: "answer", exitCode: 9, question: { step: 2 }, out: null },
    });
  });
});
