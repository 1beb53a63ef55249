/** A call that was accepted before, with the same program, arguments and files, is copied without a model call. */
import { describe, expect, it } from "vitest";
import { submissionOfFork } from "../../lib/control/fork/submission-of-fork.ts";
import type { Evaluator, ModelRequest } from "../../lib/core/ports.ts";
import { draftFromData } from "../../lib/core/program/program-text.ts";
import type { RunOptions } from "../../lib/core/run/option-forms.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { look } from "../doubles/deaths.ts";
import { alwaysGreen, aSubmission, aVerdict, compute, type TestMachine } from "../doubles/machines.ts";
import { lastingStorage, mortalStorage } from "../doubles/mortal-storage.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { type Said, scriptedModel, writeFile } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();
const never = new AbortController().signal;

/** `read PATH`, then `write PATH CONTENT`, then completes. The report has `mark`. */
const obeys = (mark = "") => scriptedModel(scriptOf(mark));

const scriptOf =
  (mark: string) =>
  (request: ModelRequest): Said => {
    const text = request.messages.find(({ content }) => content.includes("Instruction "))?.content ?? "";
    const answers = request.messages.filter(({ role }) => role === "assistant").length;
    const reads = [...text.matchAll(/^read (\S+)$/gm)].map(([, path]) => ({ path }));
    const writes = [...text.matchAll(/^write (\S+) (.*)$/gm)].map(([, path = "", content = ""]) =>
      writeFile(path, `${content}${mark}\n`),
    );
    if (reads.length > 0 && answers === 0) return { calls: [["read_files", { files: reads }]] };
    if (answers === (reads.length > 0 ? 1 : 0)) return { calls: writes };
    return { calls: [["complete_instruction", { summary: `done${mark}` }]] };
  };

const BODY = [
  { title: "Write it", text: "read base.txt\nwrite src/{{part}}.txt part {{part}}" },
  // biome-ignore lint/suspicious/noThenProperty: it is a list, and the language calls it so
  { kind: "if", condition: { file: "src/{{part}}.txt", exists: true }, then: ["write src/{{part}}.md {{part}}"] },
];

const call = (part: string, more = {}) => ({
  ...{ kind: "call", title: "The part", program: "part.md", with: { part }, needs: [], body: BODY },
  ...more,
});

interface Wish {
  base?: string;
  options?: Partial<RunOptions>;
  task?: string;
}

async function submissionOf(calls: unknown[], { base = "base", options = {}, task }: Wish = {}) {
  const program = draftFromData({ instructions: [{ title: "Base", text: `write base.txt ${base}` }, ...calls] });
  if ("problem" in program) throw new Error(program.problem);
  return aSubmission({
    options: { reflect: 0, ...options },
    submission: { program },
    ...(task === undefined ? {} : { task }),
  });
}

const run = async (machine: TestMachine, calls: unknown[], wish: Wish = {}): Promise<Run> =>
  compute(machine, await submissionOf(calls, wish));

const made = async (machine: TestMachine, { id }: Run): Promise<string[]> =>
  (await machine.registry.events(id, { after: 0, limit: 10_000 })).flatMap((event) =>
    event.type === "made" ? [`${event.instruction} ${event.decision} ${event.from?.instruction}: ${event.why}`] : [],
  );

async function replayed(machine: TestMachine, { id }: Run): Promise<number> {
  const { difference, treeHash, expected, turns } = await machine.replay(id);
  expect([difference, treeHash]).toEqual([undefined, expected]);
  return turns;
}

const first = (machine: TestMachine) => run(machine, [call("a")]);

describe("a call that was accepted before", () => {
  it("is copied by another run, with its conditions found out again, and replays exactly without the first run", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const before = await first(machine);
    expect(before).toMatchObject({ status: "completed", instructions: 3, calls: 6 + 1 });
    const now = await first(machine);
    expect(now).toMatchObject({ status: "completed", instructions: 3, calls: 2 });
    expect(await made(machine, now)).toEqual(["2 copied 2: ", "3 copied 3: "]);
    const [one, other] = [await look(machine, before.id), await look(machine, now.id)];
    expect(other.tree).toEqual(one.tree);
    expect(other.instructions.map(({ summary }) => summary)).toEqual(["done", "done", "done"]);
    expect(other.instructions[1]?.inherited).toMatchObject({ run: before.id, instruction: 2, turns: 3 });
    await machine.remove(before.id);
    expect(await replayed(machine, now)).toBe(2);
    expect((await first(machine)).calls).toBe(2);
  });

  it("is executed with other arguments, other files, another program, task or model server, or --no-memo", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    await first(machine);
    const others = [
      run(machine, [call("b")]),
      run(machine, [call("a")], { base: "other" }),
      run(machine, [call("a", { body: [...BODY, "write more.txt {{part}}"] })]),
      run(machine, [call("a")], { task: "Write three other files." }),
      run(machine, [call("a")], { options: { memo: false } }),
      run(machine, [call("a")], { options: { effort: "high" } }),
      run(machine, [call("a")], { options: { baseUrl: "http://127.0.0.1:9" } }),
    ];
    for (const each of others) {
      const { calls, instructions } = await each;
      expect(calls - 2).toBe(5 + (instructions - 3) * 2);
      expect(await made(machine, await each)).toEqual([]);
    }
  });

  it("is copied within one run, where the same call finds the same files", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const look = call("a", { body: ["read base.txt of {{part}}"] });
    const rewrite = call("a", { body: ["write src/a.txt other {{part}}"] });
    const again = await run(machine, [call("a"), look, rewrite, look]);
    expect([again.status, await made(machine, again)]).toEqual(["completed", ["6 copied 4: "]]);
    await replayed(machine, again);
  });

  it("uses nothing of another owner, of a run that was deleted, or that was not accepted", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const before = await first(machine);
    const { id } = await machine.submit(await submissionOf([call("a")]));
    const mine = await machine.registry.run(id);
    if (mine) await machine.registry.change(mine, { owner: "other" });
    expect(await machine.compute(id, never)).toMatchObject({ status: "completed", calls: 7 });
    // What was remembered under the name of an owner counts only while the run is that owner's.
    await machine.registry.change(before, { owner: "another" });
    const now = await first(machine);
    expect(now.calls).toBe(7);
    expect(await machine.remove(now.id)).toBe("deleted");
    const body = [...BODY, "write end.txt end"];
    const script = scriptOf("");
    const lost = scriptedModel((request) => {
      const isLost = request.messages.some(({ content }) => /^write end.txt/m.test(content));
      return isLost ? { text: "Hm." } : script(request);
    });
    const stuck = opened({ model: lost, home: machine.home, evaluator: alwaysGreen });
    const skipped = await run(stuck, [call("b", { body })], { options: { onTrap: "skip" } });
    expect(skipped).toMatchObject({ skipped: 1 });
    expect(await made(machine, await run(machine, [call("b", { body })]))).toEqual([]);
  });

  it("is executed where the gate refuses it, and that replays exactly, also in a fork", async () => {
    const green = opened({ model: obeys(), evaluator: alwaysGreen });
    await first(green);
    let refused = 0;
    const evaluator: Evaluator = {
      evaluate: async ({ changes }) => {
        const isRed = refused === 0 && changes.some(({ path }) => path.endsWith("a.txt"));
        refused += isRed ? 1 : 0;
        return aVerdict(isRed ? { tests: { status: "failed", failed: 1 } } : {});
      },
    };
    const later = opened({ model: obeys(), home: green.home, evaluator });
    const now = await first(later);
    expect(now.status).toBe("completed");
    expect(await made(later, now)).toEqual([
      expect.stringMatching(/^2 executed undefined: nothing that it depends on changed, and the gate refused it here/),
    ]);
    await replayed(later, now);
    for (const at of ["1", "2.1", "2"]) {
      const fork = await compute(later, await submissionOfFork(later, now, { name: "fork", at }));
      expect([at, fork.status]).toEqual([at, "completed"]);
      await replayed(later, fork);
    }
  });

  it("asks its question again, and the same answer copies the steps after it", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const question = { kind: "ask", title: "Which", question: "Which part?", saveTo: "which.txt" };
    const asking = call("a", { body: [...BODY, question, "read which.txt\nwrite chosen.txt {{part}}"] });
    const answered = async (text: string): Promise<Run> => {
      const { id, status } = await run(machine, [asking]);
      expect(status).toBe("waiting");
      await machine.answer(id, { text });
      return machine.compute(id, never);
    };
    const before = await answered("this");
    expect(before.status).toBe("completed");
    const same = await answered("this");
    expect([same.status, same.calls]).toEqual(["completed", 2]);
    const other = await answered("that");
    expect([other.status, other.calls]).toEqual(["completed", 5]);
    await replayed(machine, same);
  });

  it("is remembered and copied where conditions are around it, and at its end", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const holds = { file: "base.txt", exists: true };
    const check = { kind: "assert", check: holds, otherwise: "stop" };
    const calls = [
      // biome-ignore lint/suspicious/noThenProperty: it is a list, and the language calls it so
      { kind: "if", condition: holds, then: [call("a", { body: [...BODY, check] })] },
      { kind: "for_each", items: ["b"], as: "part", atMost: 2, body: [call("{{part}}", { body: [check, ...BODY] })] },
      { title: "End", text: "write end.txt end", needs: [] },
    ];
    await run(machine, calls);
    const now = await run(machine, calls);
    expect([now.calls, await made(machine, now)]).toEqual([
      4,
      ["2 copied 2: ", "3 copied 3: ", "4 copied 4: ", "5 copied 5: "],
    ]);
    await replayed(machine, now);
  });

  it("is inherited by a fork with what it was copied from", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const before = await first(machine);
    const now = await first(machine);
    await machine.remove(before.id);
    const fork = await compute(machine, await submissionOfFork(machine, now, { name: "fork", at: "2" }));
    await machine.remove(now.id);
    expect(fork).toMatchObject({ status: "completed", instructions: 3 });
    await replayed(machine, fork);
  });

  it("costs no call more where processes are killed while it is copied", async () => {
    const lasting = lastingStorage();
    const before = await first(opened({ storage: lasting, model: obeys(), evaluator: alwaysGreen }));
    const { tree } = await look(opened({ storage: lasting, model: obeys() }), before.id);
    const deaths = { after: 0 };
    for (let at = 40; at <= 160; at += 12) {
      const { id } = await opened({ storage: lasting, model: obeys() }).submit(await submissionOf([call("a")]));
      const killed = new AbortController();
      const mortal = mortalStorage(lasting, { call: at, when: at % 24 ? "after" : "before" }, () => killed.abort());
      const dying = opened({ storage: mortal, model: obeys(), evaluator: alwaysGreen });
      await dying.compute(id, killed.signal).catch((error: unknown) => {
        if (!mortal.isDead()) throw error;
      });
      const next = opened({ storage: lasting, model: obeys(), evaluator: alwaysGreen });
      await next.sweep();
      if (mortal.isDead() && (await next.registry.run(id))?.status === "waiting") {
        deaths.after += 1;
        await next.resume(id, {});
        await next.compute(id, never);
      }
      const ended = await look(next, id);
      expect([at, ended.run.status, ended.tree]).toEqual([at, "completed", tree]);
      expect(ended.instructions.slice(1).map(({ inherited }) => inherited?.turns)).toEqual([3, 2]);
      await replayed(next, ended.run);
    }
    expect(deaths.after).toBeGreaterThan(5);
  });
});
