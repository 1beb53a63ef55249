/** Seeded edits of programs: only what is stale is executed, and executing everything again changes no verdict of what was kept. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { makeRun } from "../../lib/control/make/make-run.ts";
import type { Evaluator } from "../../lib/core/ports.ts";
import type { Draft } from "../../lib/core/program/program.ts";
import { unpackTree } from "../../lib/pack/pack.ts";
import { aSubmission, aVerdict, compute, type TestMachine } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { isSplitting, type Said, scriptedModel } from "../doubles/scripted-model.ts";

/** More of them take minutes. */
const EDITS = Number(process.env.L2MAC_MAKE_EDITS ?? 8);
const { opened } = openedMachines();

/** `write PATH words… from PATHS`: writes the words with what it read, so that what a file says shows what it was made of. */
const worker = () =>
  scriptedModel((request): Said => {
    const line = /^(write .*)$/m.exec(request.messages[1]?.content ?? "")?.[1] ?? "";
    const [, head = "", reads = ""] = /^write (.*?)(?: from (.*))?$/.exec(line) ?? [];
    const paths = reads.split(" ").filter(Boolean);
    const path = head.split(" ")[0] ?? "";
    const answers = request.messages.filter(({ role }) => role === "assistant").length;
    if (paths.length > 0 && answers === 0)
      return { calls: [["read_files", { files: paths.map((each) => ({ path: each })) }]] };
    if (answers === (paths.length > 0 ? 1 : 0)) {
      return { calls: [["write_files", { files: [{ path, content: `${line}\n` }] }]] };
    }
    return { calls: [["complete_instruction", { summary: `${path} is there` }]] };
  });

/** Red where a file says that it is made of one that is not there: a check of the whole tree. */
const checked: Evaluator = {
  async evaluate({ base, changes }) {
    const tree = new Map(unpackTree(await base.load()));
    for (const { path, content } of changes) if (content) tree.set(path, content);
    const missing = [...tree].flatMap(([path, content]) =>
      sourcesIn(new TextDecoder().decode(content)).flatMap((each) => (tree.has(each) ? [] : [`${path} needs ${each}`])),
    );
    const message = missing.join("; ");
    const error = { path: "f0.txt", line: 1, message };
    return missing.length > 0 ? aVerdict({ syntax: { status: "failed", errors: [error] } }) : aVerdict({});
  },
};

const sourcesIn = (text: string): string[] => / from (.*)/.exec(text)?.[1]?.split(" ") ?? [];

const programOf = (texts: string[]): Draft => ({
  instructions: texts.map((text) => ({ title: `Part ${text.split(" ")[1]}`, text, requirements: [] })),
  requirements: [],
});

const SIZE = 6;

/** Each reads some of those before it. */
const program = fc
  .array(fc.array(fc.nat(SIZE - 1), { maxLength: 2 }), { minLength: SIZE, maxLength: SIZE })
  .map((reads) =>
    reads.map((earlier, index) => {
      const from = [...new Set(earlier)].filter((each) => each < index).map((each) => `f${each}.txt`);
      return `write f${index}.txt${from.length > 0 ? ` from ${from.join(" ")}` : ""}`;
    }),
  );

const edit = fc.oneof(
  fc.record({ kind: fc.constant("change" as const), at: fc.nat(SIZE - 1) }),
  fc.record({ kind: fc.constant("insert" as const), at: fc.nat(SIZE) }),
  fc.record({ kind: fc.constant("remove" as const), at: fc.nat(SIZE - 1) }),
);

function edited(texts: string[], { kind, at }: { kind: "change" | "insert" | "remove"; at: number }): string[] {
  if (kind === "remove") return texts.toSpliced(at, 1);
  if (kind === "insert") return texts.toSpliced(at, 0, `write new${at}.txt`);
  return texts.with(at, (texts[at] ?? "").replace(".txt", ".txt again"));
}

const isWrittenIn = (texts: string[], path: string): boolean => texts.some((text) => text.split(" ")[1] === path);

async function filesOf(machine: TestMachine, id: string) {
  return new Map((await machine.registry.allFiles(id)).map(({ path, sha256 }) => [path, sha256]));
}

it(
  "execute only what is stale, and end as a whole run of the changed program does",
  async () => {
    await fc.assert(
      fc.asyncProperty(program, edit, async (texts, change) => {
        const machine = opened({ model: worker(), evaluator: checked });
        const submissionOf = async (each: string[]) =>
          aSubmission({ options: { reflect: 0 }, submission: { program: programOf(each), requirements: [] } });
        const first = await compute(machine, await submissionOf(texts));
        const now = edited(texts, change);
        const model = worker();
        const later = opened({ model, home: machine.home, evaluator: checked });
        const { submission, plan } = await makeRun(later, first, { name: "again", program: programOf(now) });
        const made = await compute(later, submission);
        const askedOf = model.requests.filter((request) => !isSplitting(request));
        const asked = new Set(
          askedOf.map(({ messages }) => /^(write .*)$/m.exec(messages[1]?.content ?? "")?.[1] ?? ""),
        );
        // A text says the same at any position, so that only new texts are stale by themselves.
        const stale = now.filter((text) => !texts.includes(text));
        const red = now.filter((text, at) => sourcesIn(text).some((path) => !isWrittenIn(now.slice(0, at), path)));
        // What is red on the new tree is asked for; the run stops there.
        if (red.length === 0) expect(asked).toEqual(new Set(stale));
        else expect([...asked].filter((text) => !stale.includes(text))).toEqual(red.slice(0, 1));
        expect(plan.price.execute.steps).toBe(stale.length);
        const whole = await compute(later, await submissionOf(now));
        expect([made.status, made.testsPassed, made.unchecked]).toEqual([
          whole.status,
          whole.testsPassed,
          whole.unchecked,
        ]);
        expect(await filesOf(later, made.id)).toEqual(await filesOf(later, whole.id));
        const states = async (id: string) =>
          (await later.registry.instructions(id)).map(({ status, summary }) => [status, summary]);
        expect(await states(made.id)).toEqual(await states(whole.id));
        const { difference, treeHash, expected } = await later.replay(made.id);
        expect([difference, treeHash]).toEqual([undefined, expected]);
      }),
      { numRuns: EDITS, seed: 18, endOnFailure: true },
    );
  },
  60_000 + 10_000 * EDITS,
);
