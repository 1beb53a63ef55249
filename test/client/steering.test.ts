/** Going on with a run through the command: with a hint or another model, here and at a server. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBench, type Bench, type Ended, type Started } from "../doubles/command.ts";
import { answerTo } from "../servers/program-server.ts";
import { type ScriptedServer, startScriptedServer } from "../servers/scripted-openai.ts";

const TASK = "Write two parts.";
const HINT = "Call write_files with its text.";

let models: ScriptedServer;
let there: Bench;
let here: Bench;
let serving: Started;
beforeAll(async () => {
  models = await startScriptedServer({
    answer: (request) => {
      const text = request.messages.map(({ content }) => content ?? "").join("\n");
      if (text.includes("Splitting instruction")) return { text: "It cannot be split." };
      const isStuck = request.model === "scripted" && text.includes("Instruction 2 of 2") && !text.includes(HINT);
      if (text.includes("# What the user wants changed")) return answerTo(request, { instructions: 3 });
      return isStuck ? { toolCalls: [{ name: "list_files", arguments: {} }] } : answerTo(request, { instructions: 2 });
    },
  });
  there = aBench({ OPENAI_BASE_URL: models.url, L2MAC_MODEL: "scripted" });
  serving = there.start(["serve", "--port", "0"]);
  await serving.says("Ctrl-C stops");
  here = aBench({ L2MAC_API_URL: await serving.answers() });
  expect(await here.run([TASK, "--name", "stuck"])).toMatchObject({ code: 5 });
  expect(await there.run([TASK, "--name", "local"])).toMatchObject({ code: 5 });
}, 300_000);
afterAll(async () => {
  serving.child.kill("SIGKILL");
  await serving.ended();
  await models.close();
  here.remove();
  there.remove();
});

const refusedWith = ({ code, stderr }: Ended, problem: RegExp): void => {
  expect(code).toBe(2);
  const said = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("Remote: "));
  expect(said[0]).toMatch(problem);
  expect(said.slice(1).every((line) => line.startsWith("Next: ") || line.startsWith("  or: "))).toBe(true);
};

describe("a hint that is wrong", () => {
  it("is refused in one line, and the run stays as it was", async () => {
    const before = (await there.run(["status", "stuck", "--json"])).stdout;
    refusedWith(await here.run(["resume", "stuck", "--hint", " "]), /^l2mac: --hint takes a sentence .* has none\.$/);
    refusedWith(await here.run(["resume", "stuck", "--hint", "x".repeat(501)]), /^l2mac: --hint .* has 501\.$/);
    refusedWith(await here.run(["resume", "nowhere", "--hint", HINT]), /^l2mac: There is no run nowhere\.$/);
    refusedWith(await here.run(["resume", "stuck", "--effort", "huge"]), /^l2mac: --effort takes .*"huge"\.$/);
    expect((await there.run(["status", "stuck", "--json"])).stdout).toBe(before);
  });
});

describe("resume --hint", () => {
  it.each([
    ["here", () => there, "local"],
    ["at a server", () => here, "stuck"],
  ] as const)("goes on with a stuck run %s, and the journal replays", async (_, bench, name) => {
    const { code, stderr } = await bench().run(["resume", name, "--hint", HINT, "--effort", "low", "--no-stream"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("✔ 2/2 Part 2") });
    expect((await bench().run(["log", name])).stdout).toContain(
      `resumed, goes on with instruction 2 · effort low · without streams · hint: ${HINT}`,
    );
    expect(models.requests.at(-1)?.body).toMatchObject({ reasoning_effort: "low" });
    expect(models.requests.at(-1)?.body).not.toMatchObject({ stream: true });
    expect(await bench().run(["replay", name])).toMatchObject({ code: 0 });
    refusedWith(await bench().run(["resume", name, "--hint", HINT]), /is completed; there is nothing left to do\.$/);
  });
});

describe("plan --feedback", () => {
  it("prints the difference, and the program waits again", async () => {
    await here.run(["plan", TASK, "--name", "planned"]);
    const { code, stdout, stderr } = await here.run(["plan", "planned", "--feedback", "One step more."]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/Cost: .*\nNext: l2mac approve/) });
    expect(stdout).toMatch(/^…\n {5}MARK-2-BEGINS .*\n+\+ 3\. \*\*Part 3\*\*\n/);
    expect((await here.run(["log", "planned"])).stdout).toContain("revising the program: One step more.");
    const same = await here.run(["plan", "planned", "--feedback", "As it is."]);
    expect({ code: same.code, stdout: same.stdout }).toEqual({ code: 0, stdout: "" });
    expect(same.stderr).toContain("The program is the same as before.");
    expect(await here.run(["replay", "planned"])).toMatchObject({ code: 0 });
  });

  it("that is wrong, or of a run that does not wait, is refused in one line, and nothing changes", async () => {
    const before = (await there.run(["status", "planned", "--json"])).stdout;
    const plan = (...args: string[]) => here.run(["plan", ...args]);
    refusedWith(await plan("planned", "--feedback", " "), /^l2mac: --feedback takes a text of .* has none\.$/);
    refusedWith(await plan("planned", "--feedback", "x".repeat(2_001)), /^l2mac: --feedback .* has 2001\.$/);
    refusedWith(await plan("nowhere", "--feedback", "x"), /^l2mac: There is no run nowhere\.$/);
    refusedWith(await plan("stuck", "--feedback", "x"), /^l2mac: Run \w{26} does not wait for approval: it is /);
    refusedWith(await plan("planned", "--feedback", "x", "--steps", "3"), /^l2mac: --steps is for a new run: /);
    expect((await there.run(["status", "planned", "--json"])).stdout).toBe(before);
  });
});

describe("back --to", () => {
  it("begins a new run as the run was before that instruction, which stays as it was", async () => {
    const before = (await there.run(["status", "stuck", "--json"])).stdout;
    const { code, stderr } = await here.run(["back", "stuck", "--to", "2", "--name", "afresh", "--quiet"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("1 of 1 instruction") });
    expect((await here.run(["tree", "afresh"])).stdout).toContain("parts/part-1.txt");
    expect((await there.run(["status", "stuck", "--json"])).stdout).toBe(before);
  });

  it("that is wrong is refused in one line", async () => {
    const back = (...args: string[]) => here.run(["back", "stuck", ...args]);
    refusedWith(await back(), /^l2mac: back needs --to N/);
    refusedWith(await back("--to", "0"), /^l2mac: --to takes .*; "0" is none\.$/);
    refusedWith(await back("--to", "9"), /^l2mac: Run \w{26} can go back to instruction 1 to \d, not to 9\.$/);
  });
});

describe("resume --model", () => {
  it("asks another model from there on, and status says what each has cost", async () => {
    await here.run([TASK, "--name", "other"]);
    const { code, stderr } = await here.run(["resume", "other", "--model", "scripted-too", "--on-stuck", "skip"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("model scripted-too at") });
    expect((await here.run(["status", "other"])).stdout).toMatch(
      /model +scripted-too, .*of scripted \(.*scripted-too \(/,
    );
    expect((await here.run(["log", "other"])).stdout).toContain("· model scripted-too · on stuck: skip");
    expect(await here.run(["replay", "other"])).toMatchObject({ code: 0 });
  });
});
