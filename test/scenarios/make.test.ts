/** A new run of a changed program takes over the steps that are unchanged, without a model call. */
import { describe, expect, it } from "vitest";
import { readFileIn, readTree } from "../../lib/control/files/packs.ts";
import { type MakeWish, makeRun } from "../../lib/control/make/make-run.ts";
import type { Evaluator, ModelRequest } from "../../lib/core/ports.ts";
import type { Draft } from "../../lib/core/program/program.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { look } from "../doubles/deaths.ts";
import { alwaysGreen, aSubmission, aVerdict, compute, type TestMachine } from "../doubles/machines.ts";
import { lastingStorage, mortalStorage } from "../doubles/mortal-storage.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { playSampledDeaths } from "../doubles/sampled-calls.ts";
import { type Said, scriptedModel } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();
const never = new AbortController().signal;

/** `write a.txt from b.txt c.txt`: reads those, and writes the first with what its text says. */
const instructionText = (request: ModelRequest): string =>
  /^(write .*)$/m.exec(request.messages[1]?.content ?? "")?.[1] ?? "";

function worker(mark = ""): ReturnType<typeof scriptedModel> {
  return scriptedModel((request): Said => {
    const words = instructionText(request).split(" ");
    const [, path = ""] = words;
    const reads = words.includes("from") ? words.slice(words.indexOf("from") + 1) : [];
    const answers = request.messages.filter(({ role }) => role === "assistant").length;
    const list = words.includes("list") ? [["list_files", { prefix: words[words.indexOf("list") + 1] }] as const] : [];
    const read = reads.length > 0 ? [["read_files", { files: reads.map((each) => ({ path: each })) }] as const] : [];
    const looking = [...list, ...read];
    if (answers === 0 && looking.length > 0) return { calls: looking.map(([name, args]) => [name, args]) };
    if (answers === (looking.length > 0 ? 1 : 0)) {
      return { calls: [["write_files", { files: [{ path, content: `${words.join(" ")}${mark}\n` }] }]] };
    }
    return { calls: [["complete_instruction", { summary: `${path} is there${mark}` }]] };
  });
}

const programOf = (texts: string[], requirements: Draft["requirements"] = []): Draft => ({
  instructions: texts.map((text) => ({ title: `Do ${text.split(" ")[1]}`, text, requirements: servedIn(text) })),
  requirements,
});
const servedIn = (text: string): string[] => text.match(/R\d+/g) ?? [];

async function finished(machine: TestMachine, program: Draft, task?: string): Promise<Run> {
  const over = task === undefined ? {} : { task };
  const options = { reflect: 0 };
  return compute(
    machine,
    await aSubmission({ options, ...over, submission: { program, requirements: program.requirements } }),
  );
}

async function make(machine: TestMachine, run: Run, wish: Partial<MakeWish>) {
  const { submission, plan } = await makeRun(machine, run, { name: "again", ...wish });
  const begun = await compute(machine, submission);
  return { run: begun, plan, decisions: plan.steps.map(({ decision }) => decision) };
}

const made = async (machine: TestMachine, { id }: Run): Promise<string[]> =>
  (await machine.registry.events(id, { after: 0, limit: 10_000 })).flatMap((event) =>
    event.type === "made" ? [`${event.instruction} ${event.decision}: ${event.why}`] : [],
  );

const THREE = ["write a.txt", "write b.js from a.txt", "write c.txt"];

describe("make", () => {
  it("takes over an unchanged program without a model call, and a replay is exact", async () => {
    const machine = opened({ model: worker(), evaluator: alwaysGreen });
    const first = await finished(machine, programOf(THREE));
    expect(first.status).toBe("completed");
    const model = worker("!");
    const later = opened({ model, home: machine.home, evaluator: alwaysGreen });
    const { run, decisions } = await make(later, first, {});
    expect(decisions).toEqual(["copy", "copy", "copy"]);
    expect(run).toMatchObject({ status: "completed", calls: 0, turns: 0, microUsd: 0, files: 3 });
    expect(model.requests).toEqual([]);
    const [before, after] = [await look(later, first.id), await look(later, run.id)];
    expect(after.paths).toEqual(before.paths);
    expect(after.instructions.map(({ summary }) => summary)).toEqual(before.instructions.map(({ summary }) => summary));
    expect(await made(later, run)).toEqual(["1 copied: ", "2 copied: ", "3 copied: "]);
    const { difference, treeHash, expected } = await later.replay(run.id);
    expect([difference, treeHash]).toEqual([undefined, expected]);
    // Keys are the same where nothing changed.
    expect(after.instructions.map(({ step }) => step?.key)).toEqual(before.instructions.map(({ step }) => step?.key));
  });

  it("executes the one of a hundred instructions that changed, and asks no model for the others", async () => {
    const texts = Array.from({ length: 100 }, (_, index) => `write f${index + 1}.txt`);
    const machine = opened({ model: worker(), evaluator: alwaysGreen });
    const first = await finished(machine, programOf(texts));
    const model = worker("!");
    const later = opened({ model, home: machine.home, evaluator: alwaysGreen });
    const program = programOf(texts.with(49, "write f50.txt again"));
    const before = process.cpuUsage();
    const { run, plan, decisions } = await make(later, first, { program });
    expect(process.cpuUsage(before).user).toBeLessThan(20_000_000);
    expect(run).toMatchObject({ status: "completed", files: 100, turns: 2 });
    expect(new Set(model.requests.map(instructionText))).toEqual(new Set(["write f50.txt again"]));
    expect(decisions.map((each, index) => [each, index + 1]).filter(([each]) => each !== "copy")).toEqual([
      ["execute", 50],
      ["check", 51],
    ]);
    expect(plan.price.execute).toMatchObject({ steps: 1 });
    expect((await made(later, run)).filter((line) => !line.includes("copied"))).toEqual([
      "50 executed: no accepted step was asked the same",
      "51 kept: the hand-over of the step before it changed",
    ]);
  });

  it("matches instructions by what they say: one in front makes no other stale by its position", async () => {
    const machine = opened({ model: worker(), evaluator: alwaysGreen });
    const first = await finished(machine, programOf(THREE));
    const model = worker("!");
    const later = opened({ model, home: machine.home, evaluator: alwaysGreen });
    const { run, decisions } = await make(later, first, { program: programOf(["write z.txt", ...THREE]) });
    expect(decisions).toEqual(["execute", "check", "copy", "copy"]);
    expect(run).toMatchObject({ status: "completed", files: 4, turns: 2 });
    const { difference, treeHash, expected } = await later.replay(run.id);
    expect([difference, treeHash]).toEqual([undefined, expected]);
    // What was kept has the key of what it depends on now.
    const again = await make(later, run, {});
    expect([again.decisions, again.run.turns]).toEqual([["copy", "copy", "copy", "copy"], 0]);
  });

  it("keeps a step whose readings changed if the gate is green, and executes it with --strict", async () => {
    const machine = opened({ model: worker(), evaluator: alwaysGreen });
    const first = await finished(machine, programOf(THREE));
    const program = programOf(["write a.txt again", THREE[1] ?? "", THREE[2] ?? ""]);
    const model = worker("!");
    const later = opened({ model, home: machine.home, evaluator: alwaysGreen });
    const kept = await make(later, first, { program });
    expect(kept.decisions).toEqual(["execute", "check", "copy"]);
    expect((await made(later, kept.run))[1]).toBe("2 kept: the hand-over of the step before it changed; a.txt changed");
    expect(kept.run.turns).toBe(2);
    const strict = await make(later, first, { program, strict: true });
    expect(strict.decisions).toEqual(["execute", "execute", "execute"]);
    expect(strict.run.turns).toBe(7);
  });

  it("sees a file that was listed, searched for, or looked for in vain", async () => {
    const texts = ["write in/a.txt", "write b.js list in/", "write c.js from none.txt"];
    const machine = opened({ model: worker(), evaluator: alwaysGreen });
    const first = await finished(machine, programOf(texts));
    const later = opened({ model: worker("!"), home: machine.home, evaluator: alwaysGreen });
    const more = await make(later, first, {
      program: programOf([texts[0] ?? "", "write in/more.txt", ...texts.slice(1)]),
    });
    expect(await made(later, more.run)).toEqual([
      "1 copied: ",
      "2 executed: no accepted step was asked the same",
      "3 kept: the hand-over of the step before it changed; the list of in/ changed",
      "4 copied: ",
    ]);
    const none = await make(later, first, { program: programOf(["write none.txt", ...texts]) });
    expect((await made(later, none.run)).slice(2)).toEqual(["3 copied: ", "4 kept: none.txt changed"]);
  });

  it("executes the step of a text that was made from files, lists or searches which changed: no check reads it", async () => {
    const texts = ["write in/a.txt", "write b.md list in/", "write c.md from in/a.txt", "write d.js list in/"];
    const machine = opened({ model: worker(), evaluator: alwaysGreen });
    const first = await finished(machine, programOf(texts));
    const later = opened({ model: worker("!"), home: machine.home, evaluator: alwaysGreen });
    // The list has the same paths, and one of its files is longer.
    const longer = await make(later, first, { program: programOf(["write in/a.txt again", ...texts.slice(1)]) });
    expect(longer.decisions).toEqual(["execute", "execute", "execute", "check"]);
    expect((await made(later, longer.run)).slice(1)).toEqual([
      "2 executed: the hand-over of the step before it changed; the list of in/ changed, and no check reads what it wrote to b.md",
      "3 executed: the hand-over of the step before it changed; in/a.txt changed, and no check reads what it wrote to c.md",
      "4 kept: the hand-over of the step before it changed",
    ]);
    const more = await make(later, first, {
      program: programOf([texts[0] ?? "", "write in/b.txt", ...texts.slice(1)]),
    });
    expect(more.decisions).toEqual(["copy", "execute", "execute", "check", "check"]);
    expect((await made(later, more.run)).map((line) => line.slice(0, 11))).toEqual([
      ...["1 copied: ", "2 executed:", "3 executed:", "4 kept: the", "5 kept: the"],
    ]);
    const { difference, treeHash, expected } = await later.replay(more.run.id);
    expect([difference, treeHash]).toEqual([undefined, expected]);
  });

  it("foresees that a list is another one where a step that writes into it moved in front", async () => {
    const texts = ["write b.md list in/", "write in/a.txt"];
    const machine = opened({ model: worker(), evaluator: alwaysGreen });
    const first = await finished(machine, programOf(texts));
    const { run, decisions } = await make(machine, first, { program: programOf(texts.toReversed()) });
    expect(decisions).toEqual(["check", "execute"]);
    expect((await made(machine, run)).map((line) => line.slice(0, 11))).toEqual(["1 kept: the", "2 executed:"]);
  });

  it("executes all steps where the prompts hold another file of notes", async () => {
    const machine = opened({ model: worker(), evaluator: alwaysGreen });
    const first = await finished(machine, programOf(["write a.txt"]));
    const { pack } = await aSubmission({});
    const other = { ...pack, declaration: { ...pack.declaration, notes: "a.txt" } };
    const { plan } = await makeRun(machine, first, { name: "again", pack: other });
    expect(plan.steps).toMatchObject([{ decision: "execute", why: "the prompts hold another file of notes" }]);
  });

  it.fails("executes code that holds a value which changed, and which no test notices (it is kept)", async () => {
    const machine = opened({ model: worker(), evaluator: alwaysGreen });
    const first = await finished(machine, programOf(["write a.txt", "write b.js from a.txt"]));
    const later = opened({ model: worker("!"), home: machine.home, evaluator: alwaysGreen });
    const program = programOf(["write a.txt again", "write b.js from a.txt"]);
    expect((await made(later, (await make(later, first, { program })).run))[1]).toContain("2 executed: ");
  });

  it.fails("executes the step of a text that was made from a hand-over which changed (it is kept)", async () => {
    const machine = opened({ model: worker(), evaluator: alwaysGreen });
    const first = await finished(machine, programOf(["write a.txt", "write b.md"]));
    const later = opened({ model: worker("!"), home: machine.home, evaluator: alwaysGreen });
    const { run } = await make(later, first, { program: programOf(["write a.txt again", "write b.md"]) });
    expect((await made(later, run))[1]).toContain("2 executed: ");
  });

  it("executes what the gate refuses on the new tree, and a replay is exact", async () => {
    const machine = opened({ model: worker(), evaluator: alwaysGreen });
    const first = await finished(machine, programOf(THREE));
    const model = worker("!");
    const later = opened({ model, home: machine.home, evaluator: redOver("write b.js from a.txt\n") });
    const { run } = await make(later, first, {});
    expect(run).toMatchObject({ status: "completed", turns: 3 });
    expect((await made(later, run)).map((line) => line.slice(0, 60))).toEqual([
      "1 copied: ",
      "2 executed: nothing that it depends on changed, and the gate",
      "3 kept: the hand-over of the step before it changed",
    ]);
    const { difference, treeHash, expected } = await later.replay(run.id);
    expect([difference, treeHash]).toEqual([undefined, expected]);
  });

  it("makes only the steps stale that serve a requirement of the task which changed", async () => {
    const task = (second: string) => `Make files.\n\n- R1: a file a\n- R2: ${second}\n`;
    const requirements = [
      { id: "R1", text: "a file a" },
      { id: "R2", text: "a file b" },
    ];
    const machine = opened({ model: worker(), evaluator: alwaysGreen });
    const texts = ["write a.txt for R1", "write b.txt for R2", "write c.txt for R1"];
    const first = await finished(machine, programOf(texts, requirements), task("a file b"));
    const later = opened({ model: worker("!"), home: machine.home, evaluator: alwaysGreen });
    const { run, plan } = await make(later, first, { task: task("a file b with more") });
    expect(plan.steps.map(({ decision, why }) => `${decision} ${why}`.trim())).toEqual([
      "copy",
      "execute what it serves, or its length, changed",
      "check the hand-over of the step before it changed",
    ]);
    expect(run).toMatchObject({ status: "completed", turns: 2 });
    const other = await makeRun(later, first, { name: "x", task: `Hurry.\n${task("a file b")}` });
    expect(other.plan.steps.map(({ why }) => why)).toEqual(
      Array.from({ length: 3 }, () => expect.stringContaining("the task changed beside its requirements")),
    );
  });

  it("can be made when the run that it takes over from is deleted meanwhile", async () => {
    const machine = opened({ model: worker(), evaluator: alwaysGreen });
    const first = await finished(machine, programOf(THREE));
    const { submission } = await makeRun(machine, first, { name: "again" });
    const begun = await machine.submit(submission);
    await machine.remove(first.id);
    expect(await machine.compute(begun.id, never)).toMatchObject({ status: "completed", turns: 0, calls: 0 });
  });
});

describe("a file that several steps change", () => {
  /** Each adds a line to the notes of the project, and writes a file of its own. */
  const noting = (mark = "") =>
    scriptedModel((request): Said => {
      const [, path = ""] = instructionText(request).split(" ");
      const text = request.messages.map(({ content }) => content).join("\n");
      const answers = request.messages.filter(({ role }) => role === "assistant").length;
      if (answers === 0) return { calls: [["read_files", { files: [{ path: "NOTES.md" }] }]] };
      if (answers > 1) return { calls: [["complete_instruction", { summary: `${path} is there` }]] };
      const notes = [...text.matchAll(/\b(\w+\.txt is (?:made|mended))/g)].map(([, line]) => line);
      const all = [...new Set([...notes, `${path} is ${mark === "" ? "made" : "mended"}`])];
      const files = [
        { path: "NOTES.md", content: `${all.join("\n")}\n` },
        { path, content: `${path}${mark}\n` },
      ];
      return { calls: [["write_files", { files }]] };
    });

  it("is merged, so that a change of one of them leaves the others as they are", async () => {
    const machine = opened({ model: noting(), evaluator: alwaysGreen });
    const first = await finished(machine, programOf(["write a.txt", "write b.txt", "write c.txt"]));
    const model = noting("!");
    const later = opened({ model, home: machine.home, evaluator: alwaysGreen });
    const { run, decisions } = await make(later, first, {
      program: programOf(["write a.txt", "write b.txt again", "write c.txt"]),
    });
    expect(decisions).toEqual(["copy", "execute", "check"]);
    expect(run).toMatchObject({ status: "completed", turns: 3 });
    expect((await made(later, run)).at(-1)).toBe(
      "3 kept: NOTES.md changed; it changed NOTES.md, and what it found there changed",
    );
    const tree = await readTree(later.world.files, run.id, 3);
    const notes = readFileIn(tree, { runId: run.id, number: 3 }, "NOTES.md");
    expect(new TextDecoder().decode(notes)).toBe("a.txt is made\nb.txt is mended\nc.txt is made\n");
    const { difference, treeHash, expected } = await later.replay(run.id);
    expect([difference, treeHash]).toEqual([undefined, expected]);
  });
});

describe("a make of what has no keys", () => {
  it("executes every step of a run that an earlier version computed, and says why", async () => {
    const machine = opened({ model: worker(), evaluator: alwaysGreen });
    const first = await finished(machine, programOf(THREE));
    const older = {
      ...machine.registry,
      instructions: async (id: string) =>
        (await machine.registry.instructions(id)).map(({ step: _step, ...each }) => each),
    };
    const { plan, submission } = await makeRun({ ...machine, registry: older }, first, { name: "again" });
    expect(plan.steps.map(({ decision, why }) => `${decision}: ${why}`)).toEqual(
      Array.from({ length: 3 }, () => "execute: an earlier version accepted it: what it depended on is not known"),
    );
    expect(submission.inheriting?.steps.size).toBe(0);
  });

  it("is refused where no step was accepted", async () => {
    const machine = opened({ model: worker(), evaluator: alwaysGreen });
    const none = await machine.submit(await aSubmission({}));
    await expect(makeRun(machine, none, { name: "x" })).rejects.toMatchObject({
      ...{ exitCode: 2, message: `Run ${none.id} has no accepted step: there is nothing to take over.` },
    });
  });
});

describe("a make that is killed", () => {
  it("at any call of the storage and resumed ends as one that was not, and pays at most for the call in flight", async () => {
    const program = programOf(["write a.txt again", "write b.js from a.txt", "write c.txt"]);
    let expected: string[] | undefined;
    await playSampledDeaths(async (death) => {
      const lasting = lastingStorage();
      const first = await finished(
        opened({ storage: lasting, model: worker(), evaluator: alwaysGreen }),
        programOf(THREE),
      );
      const mortal = mortalStorage(lasting, death);
      const dying = opened({ storage: mortal, model: worker("!"), evaluator: alwaysGreen });
      await make(dying, first, { program }).catch((error: unknown) => {
        if (!mortal.isDead()) throw error;
      });
      const next = opened({ storage: lasting, model: worker("!"), evaluator: alwaysGreen });
      await next.sweep();
      expect(await next.registry.run(first.id)).toEqual(first);
      const { runs } = await next.registry.runs({ owner: "local", limit: 10 });
      const begun = runs.find(({ id }) => id !== first.id);
      if (!begun) return mortal.calls();
      if (begun.status === "waiting") await next.resume(begun.id, {});
      const ended = await next.compute(begun.id, never);
      expect(ended).toMatchObject({ status: "completed", turns: 2 });
      const decisions = (await made(next, ended)).map((line) => line.split(":")[0] ?? "");
      expect(decisions).toEqual(["1 executed", "2 kept", "3 copied"]);
      const files = (await next.registry.allFiles(ended.id)).map(({ path, sha256 }) => `${path} ${sha256}`);
      expected ??= files;
      expect(files).toEqual(expected);
      const { difference, treeHash, expected: hash } = await next.replay(ended.id);
      expect([death, difference, treeHash]).toEqual([death, undefined, hash]);
      return mortal.calls();
    });
  });
});

/** Red where a file has just this text. */
const redOver = (text: string): Evaluator => ({
  async evaluate({ changes }) {
    const isRed = changes.some(({ content }) => content && new TextDecoder().decode(content) === text);
    return isRed
      ? aVerdict({ syntax: { status: "failed", errors: [{ path: "b.txt", line: 1, message: "red" }] } })
      : aVerdict({});
  },
});
