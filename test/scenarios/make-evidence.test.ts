/** What a step is taken over on: code that was run again, what commands saw, and checks that came to their end. */
import { describe, expect, it } from "vitest";
import { createHandlers } from "../../lambdas/handlers.ts";
import { makeRun } from "../../lib/control/make/make-run.ts";
import { STEP } from "../../lib/control/turn/body-kinds.ts";
import { readBody } from "../../lib/control/turn/journal.ts";
import type { Evaluator, ModelRequest } from "../../lib/core/ports.ts";
import type { Run } from "../../lib/core/run/run.ts";
import type { Verdict } from "../../lib/core/verdict/verdict.ts";
import { hastyClock } from "../doubles/hasty-clock.ts";
import { alwaysGreen, aSubmission, aVerdict, compute, type TestMachine } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { type Said, scriptedModel } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();
const never = new AbortController().signal;

/** `write a.txt`, `see b.txt from a.txt`, `look b.txt` (runs a command), `test b.txt` (runs checks), `nothing`. A change of the text changes the file. */
const worker = () =>
  scriptedModel((request): Said => {
    const line = lineOf(request);
    const [kind = "", path = "", ...rest] = line.split(" ");
    const answers = request.messages.filter(({ role }) => role === "assistant").length;
    const from = rest.includes("from") ? rest.at(-1) : undefined;
    const content = kind === "same" ? "the same\n" : `${line}\n`;
    const said: Said[] = [
      ...(from === undefined ? [] : [{ calls: [["read_files", { files: [{ path: from }] }]] } satisfies Said]),
      ...(kind === "look" ? [{ calls: [["run_command", { argv: ["cat", "a.txt"] }]] } satisfies Said] : []),
      ...(kind === "test" ? [{ calls: [["run_checks", {}]] } satisfies Said] : []),
      ...(kind === "nothing" ? [] : [{ calls: [["write_files", { files: [{ path, content }] }]] } satisfies Said]),
    ];
    return said[answers] ?? { calls: [["complete_instruction", { summary: `${line}: done` }]] };
  });

const lineOf = (request: ModelRequest): string =>
  /^((?:write|see|look|test|same|nothing)\b.*)$/m.exec(request.messages[1]?.content ?? "")?.[1] ?? "";

const programOf = (texts: string[]) => ({
  instructions: texts.map((text) => ({ title: `Do ${text.split(" ")[1]}`, text, requirements: [] })),
  requirements: [],
});

const finished = async (machine: TestMachine, texts: string[]): Promise<Run> =>
  compute(
    machine,
    await aSubmission({ options: { reflect: 0 }, submission: { program: programOf(texts), requirements: [] } }),
  );

const made = async (machine: TestMachine, { id }: Run): Promise<string[]> =>
  (await machine.registry.events(id, { after: 0, limit: 10_000 })).flatMap((event) =>
    event.type === "made" ? [`${event.instruction} ${event.decision}: ${event.why}`] : [],
  );

async function madeOf(texts: string[], now: string[], wish: { evaluator?: Evaluator; strict?: true } = {}) {
  const machine = opened({ model: worker(), evaluator: running() });
  const first = await finished(machine, texts);
  const later = opened({ model: worker(), home: machine.home, evaluator: wish.evaluator ?? running() });
  const { submission, plan } = await makeRun(later, first, {
    ...{ name: "again", program: programOf(now) },
    ...(wish.strict ? { strict: true } : {}),
  });
  const run = await compute(later, submission);
  const { difference, treeHash, expected } = await later.replay(run.id);
  expect([run.status, difference, treeHash]).toEqual(["completed", undefined, expected]);
  return { lines: await made(later, run), decisions: plan.steps.map(({ decision }) => decision), later, run };
}

const done = { status: "passed" as const, exitCode: 0, stdout: "", stderr: "" };
const running = (over: Parameters<typeof aVerdict>[0] = {}): Evaluator => ({
  evaluate: async ({ command }): Promise<Verdict> => ({ ...aVerdict(over), ...(command ? { command: done } : {}) }),
});

describe("a step whose readings changed", () => {
  const texts = ["write a.txt", "see b.js from a.txt"];
  const now = ["write a.txt other", "see b.js from a.txt"];

  it("is executed where no check ran its code on the new tree", async () => {
    const evaluator = running({ tests: { status: "not_run", reason: "nothing_to_check", passed: 0 } });
    const { lines } = await madeOf(texts, now, { evaluator });
    expect(lines[1]).toBe(
      "2 executed: the hand-over of the step before it changed; a.txt changed, and no check ran its code here",
    );
  });

  it("is executed where something could not be checked, though tests passed", async () => {
    const evaluator = running({ syntax: { status: "not_run", reason: "no_toolchain" } });
    const { lines } = await madeOf(texts, now, { evaluator });
    expect(lines[1]).toContain("2 executed: ");
    expect(lines[1]).toContain("not all of it can be checked here (syntax: no_toolchain)");
  });

  it("is kept where its tests passed", async () => {
    expect((await madeOf(texts, now)).lines[1]).toContain("2 kept: ");
  });
});

it("steps are taken over within the ceiling of minutes, though no model is asked", async () => {
  const texts = ["write a.txt", "write b.txt", "write c.txt", "write d.txt"];
  const machine = opened({ model: worker(), evaluator: running() });
  const first = await finished(machine, texts);
  let now = Date.now();
  const slow: Evaluator = {
    async evaluate(request) {
      now += 100_000;
      return running().evaluate(request);
    },
  };
  const clock = { ...hastyClock, now: () => now };
  const later = opened({ model: worker(), home: machine.home, evaluator: slow, clock });
  const { submission } = await makeRun(later, first, { name: "again", program: programOf(texts) });
  const run = await compute(later, { ...submission, options: { ...submission.options, budget: { minutes: 4 } } });
  expect(run).toMatchObject({ status: "partial", reason: "minutes", packed: 3, calls: 0 });
});

describe("a step that ran a command", () => {
  const texts = ["write a.txt", "write c.txt", "look b.js"];

  it("is taken over as it was on an equal tree", async () => {
    const { lines, decisions } = await madeOf(texts, texts);
    expect(decisions).toEqual(["copy", "copy", "copy"]);
    expect(lines).toEqual(["1 copied: ", "2 copied: ", "3 copied: "]);
  });

  it("is checked where a file is another one, though it was not shown that file, and executed with --strict", async () => {
    const now = ["write a.txt other", "write c.txt", "look b.js"];
    const { lines, decisions, later, run } = await madeOf(texts, now);
    expect(decisions).toEqual(["execute", "check", "check"]);
    expect(lines[2]).toBe("3 kept: it ran commands, and the files before it changed");
    const [, , { step } = {}] = await later.registry.instructions(run.id);
    const record = await readBody(later.files, { key: step?.body ?? "", hash: step?.sha256 ?? "" }, STEP);
    expect(record).toMatchObject({ ran: true, base: expect.any(String) });
    const strict = await madeOf(texts, now, { strict: true });
    expect(strict.lines[2]).toContain("3 executed: ");
  });

  it.each([
    ["look", "it ran commands"],
    ["test", "it ran checks"],
  ])("is executed there where it wrote a text, which no check reads: %s", async (kind, why) => {
    const { lines, decisions } = await madeOf(
      ["write a.txt", `${kind} b.md`, `${kind} c.js`],
      ["write a.txt other", `${kind} b.md`, `${kind} c.js`],
    );
    expect(decisions.slice(1)).toEqual(["execute", "check"]);
    expect(lines.slice(1)).toEqual([
      `2 executed: the hand-over of the step before it changed; ${why}, and the files before it changed, and no check reads what it wrote to b.md`,
      expect.stringMatching(/^3 (?:kept|copied): /),
    ]);
  });

  it("is checked where an earlier version recorded it: whether it did is not known", async () => {
    const machine = opened({ model: worker(), evaluator: running() });
    const first = await finished(machine, ["write a.js"]);
    const { submission } = await makeRun(machine, first, { name: "again" });
    for (const { record } of [...(submission.inheriting?.steps.values() ?? [])].flat()) delete record.ran;
    const run = await compute(machine, submission);
    expect(await made(machine, run)).toEqual(["1 kept: it may have run commands, and what they saw is not known"]);
  });
});

describe("a step depends as before on what it looked at, also after it was taken over, where it", () => {
  const HAND_OVER = "the hand-over of the step before it changed";
  it.each([
    [
      "wrote what was there already",
      ["same s.txt", "same s.txt twice", "write a.txt"],
      "write s.txt otherwise",
      "it changed s.txt, and what it found there changed",
    ],
    ["read a file", ["write a.txt", "see b.txt from a.txt"], "write a.txt other", "a.txt changed"],
  ])("%s", async (_, texts, first, why) => {
    const machine = opened({ model: worker(), evaluator: alwaysGreen });
    const before = await finished(machine, texts);
    expect(before.status).toBe("completed");
    const copied = await compute(machine, (await makeRun(machine, before, { name: "again" })).submission);
    expect(await made(machine, copied)).toEqual(texts.map((_, index) => `${index + 1} copied: `));
    for (const run of [before, copied]) {
      const program = programOf([first, ...texts.slice(1)]);
      const changed = await compute(machine, (await makeRun(machine, run, { name: "other", program })).submission);
      expect((await made(machine, changed))[1]).toContain(`: ${HAND_OVER}; ${why}`);
    }
  });
});

describe("checks for which an invocation had no time left", () => {
  /** Its first evaluation takes all the time of the invocation; the gate is asked again for what changed nothing. */
  async function makeSlowly(slowTimes: number) {
    const machine = opened({ model: worker(), evaluator: alwaysGreen });
    const first = await finished(machine, ["write a.txt", "nothing more"]);
    let [remaining, slow] = [800_000, 0];
    const evaluator: Evaluator = {
      async evaluate() {
        if (slow < slowTimes) remaining = 35_000;
        slow += 1;
        return aVerdict({});
      },
    };
    const later = opened({ model: worker(), home: machine.home, evaluator });
    const { submission } = await makeRun(later, first, { name: "again" });
    const { id } = await later.submit(submission);
    const { plan, execute } = createHandlers(later.world);
    const invocation = { remainingMs: () => remaining, signal: never };
    await plan({ runId: id, epoch: 1 }, invocation);
    let invocations = 0;
    for (let next = "execute"; next === "execute" && invocations < 10; invocations += 1) {
      remaining = 800_000;
      next = ((await execute({ runId: id, epoch: 1 }, invocation)) as { next: string }).next;
    }
    return { lines: await made(later, await later.registry.claim(id, 1)), invocations };
  }

  it("begin once more in the next one", async () => {
    const { lines, invocations } = await makeSlowly(2);
    expect([lines, invocations]).toEqual([["1 copied: ", "2 copied: "], 3]);
  });

  it("do not begin again and again: then the step is executed", async () => {
    const { lines, invocations } = await makeSlowly(3);
    expect(lines[1]).toContain("2 executed: nothing that it depends on changed, and the gate refused it here");
    expect(invocations).toBeLessThan(10);
  });
});
