/** `l2mac eval context` with a model server on loopback: three arms, of which one is the machine. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aBench, type Bench } from "../../../test/doubles/command.ts";
import type { ScriptedAnswer, ScriptedRequest } from "../../../test/servers/scripted-completion.ts";
import { type Fault, held } from "../../../test/servers/scripted-faults.ts";
import { type ScriptedServer, startScriptedServer } from "../../../test/servers/scripted-openai.ts";
import { context } from "../suites/context/context.ts";

const cases = await context.load({ cache: "", env: {}, say: () => {} });

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

const textOf = ({ messages }: ScriptedRequest): string => messages.map(({ content }) => content ?? "").join("\n");
const isSummary = (request: ScriptedRequest): boolean => textOf(request).startsWith("You replace a conversation");
const isChat = (request: ScriptedRequest): boolean => isSummary(request) || textOf(request).startsWith("You go on");

/** Knows the answers in a run; in a conversation it knows what it is shown, and summarises the task and nothing else. */
function answer(request: ScriptedRequest): ScriptedAnswer {
  const text = textOf(request);
  const each = cases.find(({ task }) => text.includes(task));
  if (isSummary(request)) return { text: each?.task ?? "Nothing." };
  if (isChat(request)) return { text: `Here it is: ${JSON.stringify(shownIn(text))}` };
  const call = (name: string, value: object): ScriptedAnswer => ({ toolCalls: [{ name, arguments: value }] });
  if (text.includes("Planning the program"))
    return call("write_program", { instructions: [{ title: "Find", text: "FIND-IT", requirements: [] }] });
  if (/wrote .*answers\.json/i.test(text)) return call("complete_instruction", { summary: "found" });
  return call("write_files", { files: [{ path: "answers.json", content: each?.oracle["answers.json"] }] });
}

function shownIn(text: string): Record<string, string> {
  const keys = /and nothing else: ([\w, ]+)\. Do not/.exec(text)?.[1]?.split(", ") ?? [];
  return Object.fromEntries(
    keys.map((key) => [key, new RegExp(`The entry ${key} is (\\w+)`).exec(text)?.[1] ?? "unknown"]),
  );
}

const start = async (more: string[], faults: Record<number, Fault> = {}): Promise<string[]> => {
  server = await startScriptedServer({ answer, faults });
  const at = ["--out", "found", "--evidence", "off", "--base-url", server.url, "--model", "scripted"];
  return ["eval", "context", ...at, ...more];
};

interface Line {
  case: string;
  passed: number;
  of: number;
  usd: number;
  turns: number;
}
const results = (): Line[] => JSON.parse(bench.read("found/results.json")).lines;
const passed = (): Record<string, string> =>
  Object.fromEntries(results().map((line) => [line.case, `${line.passed}/${line.of}`]));

describe("eval context", () => {
  it("measures each case in each arm, and has shares, costs and minutes of each", async () => {
    const { code, stdout, stderr } = await bench.run(await start(["--limit", "3", "--price", "1,1"]));
    expect(code, stderr).toBe(0);
    const found = passed();
    expect(found).toMatchObject({ "pairs-1x/l2mac": "5/5", "requirements-1x/l2mac": "20/20" });
    // The summaries keep the whole task; what was cut and not summarised is lost.
    expect(found).toMatchObject({ "requirements-1x/growing": "8/20", "requirements-1x/summarising": "20/20" });
    for (const arm of ["growing", "summarising"]) expect(found[`pairs-1x/${arm}`]).toMatch(/^[0-4]\/5$/);
    expect(stdout).toMatch(/^\| growing \| 3 of 3 \| 1 \| 0\.0 % \|.*\$0\.0\d+ \|/m);
    expect(stdout).toContain("| checks passed | l2mac | growing | summarising |");
    expect(stdout).toContain("| requirements-1x | 100.0 % | 40.0 % | 100.0 % |");
    const { arms } = JSON.parse(bench.read("found/results.json"));
    expect(arms.map(({ arm }: { arm: string }) => arm)).toEqual(["l2mac", "growing", "summarising"]);
    expect(arms[1]).toMatchObject({ results: 3, checks: { mean: expect.any(Number) }, models: ["scripted"] });
    for (const line of results()) expect(line.usd > 0).toBe(line.turns > 0);
  }, 120_000);

  it("continues a conversation after a kill, and pays for no summary twice", async () => {
    let letGo = (): void => {};
    const until = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const args = await start(["--limit", "1"]);
    const whole = await bench.run(args);
    expect(whole.code, whole.stderr).toBe(0);
    const asked = server?.requests.filter(isChat).length ?? 0;
    const first = server?.requests.findIndex(isSummary) ?? 0;
    await server?.close();
    bench.remove();
    bench = aBench();
    const again = await start(["--limit", "1"], { [first + 2]: held(until) });
    const killed = bench.start(again);
    await killed.says("2/3");
    await expect.poll(() => server?.requests.length).toBe(first + 2);
    killed.child.kill("SIGKILL");
    await killed.ended();
    letGo();
    const { code, stderr } = await bench.run(again);
    expect(code, stderr).toBe(0);
    // One more: the call that the kill lost.
    expect(server?.requests.filter(isChat)).toHaveLength(asked + 1);
    expect(results()).toHaveLength(3);
  }, 120_000);

  it("makes no call that could exceed the budget, and goes on with a larger one", async () => {
    const args = await start(["--limit", "1", "--price", "0,100"]);
    const stopped = await bench.run([...args, "--budget", "0.3"]);
    expect(stopped.code, stopped.stderr).toBe(7);
    expect(stopped.stderr).toContain("the budget is used up");
    expect(JSON.parse(bench.read("found/results.json")).usd).toBeLessThanOrEqual(0.3);
    const more = await bench.run([...args, "--budget", "100"]);
    expect(more.code, more.stderr).toBe(0);
    expect(results()).toHaveLength(3);
  }, 120_000);
});
