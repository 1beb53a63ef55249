/** Seeded programs with blocks: a make of an edited one and a fork at any step end in the tree of a run that executes all of it. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { submissionOfFork } from "../../lib/control/fork/submission-of-fork.ts";
import { makeRun } from "../../lib/control/make/make-run.ts";
import type { Draft } from "../../lib/core/program/program.ts";
import { draftFromData } from "../../lib/core/program/program-text.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { look } from "../doubles/deaths.ts";
import { alwaysGreen, aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { lastingStorage } from "../doubles/mortal-storage.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { type Said, scriptedModel, writeFile } from "../doubles/scripted-model.ts";

/** More of them take minutes. */
const PROGRAMS = Number(process.env.L2MAC_KINDS_EDITS ?? 6);
const { opened } = openedMachines();

/** `write PATH CONTENT`: what it writes depends on its own text alone. */
const obeys = () =>
  scriptedModel((request): Said => {
    const text = request.messages.find(({ content }) => content.includes("Instruction "))?.content ?? "";
    const [, path = "none.txt", content = ""] = /^write (\S+) (.*)$/m.exec(text) ?? [];
    if (!request.messages.some(({ role }) => role === "assistant")) return { calls: [writeFile(path, `${content}\n`)] };
    return { calls: [["complete_instruction", { summary: content }]] };
  });

const FILES = ["a", "b", "c", "d"];
const file = fc.constantFrom(...FILES);
const word = fc.constantFrom("one", "two", "three");

const step = fc.record({ path: file, content: word, free: fc.boolean() }).map(({ path, content, free }) => ({
  ...{ title: `Write ${path}`, text: `write ${path}.txt ${content}` },
  ...(free ? { needs: [] } : {}),
}));

/** Every loop ends, and no check stops the program. */
const node = fc.letrec((tie) => ({
  body: fc.array(tie("node"), { minLength: 1, maxLength: 2 }),
  node: fc.oneof(
    { maxDepth: 2, depthSize: "small" },
    { arbitrary: step, weight: 4 },
    { arbitrary: tie("body").map((body) => ({ kind: "group", body })), weight: 1 },
    {
      arbitrary: fc.record({ path: file, yes: tie("body"), no: tie("body") }).map(({ path, yes, no }) => ({
        ...{ kind: "if", condition: { file: `${path}.txt`, exists: true }, else: no },
        // biome-ignore lint/suspicious/noThenProperty: it is a list, and the language calls it so
        then: yes,
      })),
      weight: 1,
    },
    {
      arbitrary: fc.record({ items: fc.uniqueArray(word, { minLength: 1 }), path: file }).map(({ items, path }) => ({
        ...{ kind: "for_each", items, as: "item", atMost: 3 },
        body: [{ title: `Write ${path} {{item}}`, text: `write ${path}-{{item}}.txt {{item}}`, needs: [] }],
      })),
      weight: 2,
    },
    {
      arbitrary: fc.record({ path: file, body: tie("body") }).map(({ path, body }) => ({
        ...{ kind: "repeat", until: { file: `${path}.txt`, exists: true }, atMost: 2, otherwise: "continue", body },
      })),
      weight: 1,
    },
  ),
})).node;

const instructions = fc.array(node, { minLength: 2, maxLength: 4 });
const edit = fc.record({
  at: fc.nat(3),
  remove: fc.nat(1),
  insert: fc.array(node, { maxLength: 1 }),
  fork: fc.nat(20),
});

const programOf = (data: unknown[]): Draft => {
  const draft = draftFromData({ instructions: [...data, { title: "End", text: "write end.txt end" }] });
  if ("problem" in draft) throw new Error(draft.problem);
  return draft;
};

const begun = async (machine: TestMachine, program: Draft): Promise<Run> =>
  compute(machine, await aSubmission({ options: { reflect: 0 }, submission: { program } }));

async function replayed(machine: TestMachine, { id }: Run): Promise<void> {
  const { difference, treeHash, expected } = await machine.replay(id);
  expect([difference, treeHash]).toEqual([undefined, expected]);
}

const titlesOf = async (machine: TestMachine, { id }: Run): Promise<string[]> =>
  (await look(machine, id)).instructions.map(({ title }) => title);

it("takes the way, and ends in the files, of a run that executes all of it", async () => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(instructions, edit, async (data, { at, remove, insert, fork }) => {
      const machine = opened({ storage: lastingStorage(), model: obeys(), evaluator: alwaysGreen });
      const first = await begun(machine, programOf(data));
      expect(first.status).toBe("completed");
      const program = programOf(data.toSpliced(Math.min(at, data.length), remove, ...insert));
      const { submission, plan } = await makeRun(machine, first, { name: "made", program });
      const made = await compute(machine, submission);
      const complete = await begun(machine, program);
      expect(made.status).toBe("completed");
      expect((await look(machine, made.id)).tree).toEqual((await look(machine, complete.id)).tree);
      expect(await titlesOf(machine, made)).toEqual(await titlesOf(machine, complete));
      taken += complete.turns - made.turns;
      // Where nothing had to be assumed, the plan names the steps that were taken, in their order.
      if (!plan.assumed) expect(plan.steps.length).toBeGreaterThan(0);
      await replayed(machine, made);
      const point = 1 + (fork % (first.instructions - 1));
      const forked = await compute(
        machine,
        await submissionOfFork(machine, first, { at: String(point), name: "fork" }),
      );
      expect(await titlesOf(machine, forked)).toEqual(await titlesOf(machine, first));
      expect((await look(machine, forked.id)).tree).toEqual((await look(machine, first.id)).tree);
      expect(forked.turns).toBe(first.turns - 2 * point);
      await replayed(machine, forked);
    }),
    { numRuns: PROGRAMS, seed: 18 },
  );
  expect(taken).toBeGreaterThan(0);
});
