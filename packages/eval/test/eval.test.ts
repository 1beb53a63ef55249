/** `l2mac eval` as people use it: the real command, a model server on loopback, and the real checkers. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../../../test/doubles/command.ts";
import type { ScriptedAnswer, ScriptedRequest } from "../../../test/servers/scripted-completion.ts";
import { type Fault, held } from "../../../test/servers/scripted-faults.ts";
import { type ScriptedServer, startScriptedServer } from "../../../test/servers/scripted-openai.ts";
import { debugging } from "../suites/debugging/debugging.ts";

const python = spawnSync("python3", ["--version"]).error === undefined;
const cases = await debugging.load({ cache: "", env: {}, say: () => {} });
const [first, second] = cases;

let bench: Bench;
let server: ScriptedServer | undefined;
beforeEach(() => {
  bench = aBench();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  bench.remove();
});

/** Solves the first case and not the second. Where it is, it reads from each request. */
function answer({ messages, model }: ScriptedRequest): ScriptedAnswer {
  const text = messages.map(({ content }) => content ?? "").join("\n");
  const asked = cases.find(({ id }) => text.includes(`The function \`${id}\``));
  if (text.includes("Planning the program") || !text.includes("CORRECT-IT"))
    return {
      toolCalls: [
        {
          name: "write_program",
          arguments: { instructions: [{ title: "Correct", text: "CORRECT-IT", requirements: [] }] },
        },
      ],
    };
  if (/wrote .*solution\.py/i.test(text))
    return { toolCalls: [{ name: "complete_instruction", arguments: { summary: `corrected by ${model}` } }] };
  const content = (asked === first ? asked?.oracle : asked?.stub)?.["solution.py"];
  return { toolCalls: [{ name: "write_files", arguments: { files: [{ path: "solution.py", content }] } }] };
}

const start = async (faults: Record<number, Fault> = {}): Promise<string[]> => {
  server = await startScriptedServer({ answer, faults });
  return [
    ...["eval", "debugging", "--limit", "2", "--evidence", "off", "--out", "found"],
    ...["--base-url", server.url, "--model", "scripted"],
  ];
};

const linesOf = (type: string) =>
  bench
    .read("found/results.jsonl")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter((line) => line.type === type);

describe.skipIf(!python)(`eval${python ? "" : " (needs python3)"}`, () => {
  it("computes each case, checks what it delivers, and counts what failed", async () => {
    const { code, stdout, stderr } = await bench.run(await start());
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(linesOf("result")).toMatchObject([
      {
        case: first?.id,
        seed: 0,
        solved: true,
        passed: 5,
        of: 5,
        models: ["scripted"],
        errors: 0,
        status: "completed",
      },
      { case: second?.id, seed: 0, solved: false, passed: 0, models: ["scripted"] },
    ]);
    expect(stdout).toContain("| 2 of 2 | 1 | 50.0 % |");
    expect(bench.read("found/results.md")).toBe(stdout);
    expect(bench.read("found/results.jsonl")).not.toContain(bench.folder);
    expect(JSON.parse(bench.read("found/results.json"))).toMatchObject({
      models: ["scripted"],
      asked: "scripted",
      results: 2,
      attempts: 2,
      solved: { mean: 0.5 },
    });
    const other = ["--base-url", server?.url ?? "", "--model", "other"];
    const again = await bench.run(["eval", "debugging", "--limit", "2", "--out", "found", ...other]);
    expect(again).toMatchObject({ code: 2 });
    expect(again.stderr).toContain("model scripted");
  });

  it("continues after a kill with the run that it had begun, and computes no case twice", async () => {
    let letGo = (): void => {};
    const until = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    // Two turns plan a case. The second one has its program, and the answer that would write its file is on the way.
    const args = await start({ 7: held(until) });
    const killed = bench.start(args);
    await killed.says("1/2");
    await expect.poll(() => server?.requests.length).toBe(7);
    killed.child.kill("SIGKILL");
    await killed.ended();
    letGo();
    const [begun] = linesOf("started").slice(-1);
    const { code, stdout } = await bench.run(args);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("| 2 of 2 |") });
    expect(linesOf("result").map(({ run }) => run)).toEqual([linesOf("started")[0].run, begun.run]);
    expect(linesOf("started")).toHaveLength(2);
    // Four for each case, and the one whose answer was lost.
    expect(server?.requests).toHaveLength(9);
    const asked = server?.requests.length;
    expect(await bench.run(args)).toMatchObject({ code: 0, stdout });
    expect(server?.requests.length).toBe(asked);
  });

  it("stops at its budget, says so, and goes on with a larger one; each seed is computed", async () => {
    const args = [...(await start()), "--price", "1000,1000", "--seeds", "2"];
    const stopped = await bench.run([...args, "--budget", "1"]);
    expect(stopped.code, stopped.stderr).toBe(7);
    expect(stopped.stderr).toContain("the budget is used up. What is done is kept; continue with a larger --budget.");
    const { length } = linesOf("result");
    expect(length).toBeLessThan(4);
    // It is the ceiling of all: what an unfinished case has cost is not there a second time.
    const asked = server?.requests.length;
    expect(await bench.run([...args, "--budget", "1"])).toMatchObject({ code: 7, stdout: stopped.stdout });
    expect(server?.requests.length).toBe(asked);
    const whole = await bench.run([...args, "--budget", "1000000"]);
    expect(whole.code, whole.stderr).toBe(0);
    expect(whole.stdout).toContain("| 4 of 4 | 2 | 50.0 % ± 0.0 |");
    expect(new Set(linesOf("result").map(({ seed }) => seed))).toEqual(new Set([0, 1]));
    expect(linesOf("result").every(({ usd }) => usd > 0)).toBe(true);
  });

  it("counts nothing where the model server refuses the key", async () => {
    server = await startScriptedServer({ answer, apiKey: "right" });
    bench.env.OPENAI_API_KEY = "wrong";
    const { code, stdout } = await bench.run([
      ...["eval", "debugging", "--limit", "1", "--out", "found", "--base-url", server.url, "--model", "scripted"],
    ]);
    expect({ code, stdout }).toMatchObject({ code: 3, stdout: expect.stringContaining("| 0 of 1 |") });
    expect(linesOf("result")).toEqual([]);
  });
});

describe("eval, before anything is computed", () => {
  it.each<[string[], RegExp, number?]>([
    [["eval"], /takes the name of a suite/],
    [["eval", "none"], /no suite none/],
    [["eval", "debugging"], /No model is set[\s\S]*eval debugging --model/],
    [["eval", "debugging", "--model", "rehearsal"], /plays recorded scenes[\s\S]*eval doctor debugging/],
    [["eval", "debugging", "--model", "gpt-5.5"], /No key is set[\s\S]*Set OPENAI_API_KEY in the environment\.\n$/, 3],
    [
      ["eval", "debugging", "--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--out", process.execPath],
      /cannot hold the results/,
    ],
    [["eval", "debugging", "--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--limit", "0"], /at least 1/],
    [["eval", "debugging", "--model", "m", "--budget", "0"], /--budget takes[\s\S]*help eval$/m],
    [
      ["eval", "polyglot", "--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--exercises", "none"],
      /There are no exercises in .*none\. Nothing was computed or paid/,
    ],
    [["eval", "doctor", "debugging", "--exercises", "."], /--exercises is for the suites polyglot and quixbugs only/],
    [["eval", "debugging", "--exercises", "."], /--exercises is for the suites polyglot and quixbugs only/],
    [
      ["eval", "quixbugs", "--model", "m", "--base-url", "http://127.0.0.1:9/v1"],
      /No checkout of QuixBugs is given\. Nothing was computed or paid[\s\S]*jkoppel\/QuixBugs/,
    ],
    [["eval", "debugging", "doctor"], /one suite at a time/],
  ])("refuses %j", async (args, message, exitCode = 2) => {
    const { code, stderr } = await bench.run(args);
    expect({ code, stderr }).toEqual({ code: exitCode, stderr: expect.stringMatching(message) });
    expect(existsSync(`${bench.folder}/evaluation`)).toBe(false);
  });
});
