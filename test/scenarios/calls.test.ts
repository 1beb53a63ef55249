/** A program that calls others: their steps are steps of the run, and no file is needed once it was submitted. */
import { describe, expect, it } from "vitest";
import { submissionBefore } from "../../lib/control/lifecycle/go-back.ts";
import { storedProgram } from "../../lib/control/program/stored-program.ts";
import { type CallAnswer, linkCalls, linkNow } from "../../lib/core/program/language/calls/link.ts";
import { errorsIn } from "../../lib/core/program/language/lint/lint.ts";
import { readProgramData } from "../../lib/core/program/language/read-program.ts";
import type { Program } from "../../lib/core/program/language/schema.ts";
import { placeText } from "../../lib/core/program/language/step-title.ts";
import type { Draft } from "../../lib/core/program/program.ts";
import {
  draftFromData,
  draftOrErrors,
  parseProgramMarkdown,
  renderProgramMarkdown,
} from "../../lib/core/program/program-text.ts";
import { look, throughDeaths } from "../doubles/deaths.ts";
import { alwaysGreen, aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { placeOf, type Said, scriptedModel, writeFile } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();

const read = (instructions: unknown): Program => {
  const found = readProgramData({ data: { instructions }, placeOf: () => undefined });
  if ("findings" in found) throw new Error(found.findings[0]?.message);
  return found.program;
};

const FILES: Record<string, unknown[]> = {
  "steps/module.md": [
    { title: "Write {{module}}", text: "write src/{{module}}.txt {{module}} by {{author}}" },
    // biome-ignore lint/suspicious/noThenProperty: it is a list, and the language calls it so
    { kind: "if", condition: { file: "docs/{{module}}.txt", exists: true }, then: ["write never.txt x"] },
    { kind: "call", program: "note.yaml", with: { text: "{{module}} done" } },
  ],
  "note.yaml": [
    {
      kind: "for_each",
      items: ["first", "second"],
      as: "module",
      atMost: 2,
      body: [{ title: "Note {{module}}", text: "write notes/{{module}}.txt {{text}}" }],
    },
  ],
};

const answer = ({ program }: { program: string }): CallAnswer => {
  const instructions = FILES[program];
  if (!instructions) return { problem: `there is no ${program}` };
  return { found: { key: program, name: program, program: read(instructions), placeOf: () => undefined } };
};

function linked(instructions: unknown[]): Draft {
  const lowered = draftOrErrors(linkNow(linkCalls(read(instructions), { lint: errorsIn }), answer));
  if ("findings" in lowered) throw new Error(lowered.findings[0]?.message);
  return lowered.draft;
}

/** A value that looks like a name is one no more. */
const WHOLE = [
  "write parts.txt cli",
  {
    kind: "for_each",
    items: { file: "parts.txt" },
    as: "part",
    atMost: 3,
    body: [
      {
        kind: "call",
        title: "The module {{part}}",
        program: "steps/module.md",
        with: { module: "{{part}}", author: "{{text}} and {{part}}" },
      },
    ],
  },
  { kind: "call", program: "note.yaml", with: { text: "end" } },
];

const STEPS = [
  "1 write parts.txt cli",
  "2[1].1(module).1 The module cli: Write cli",
  "2[1].1(module).3(note).1[1].1 The module cli: note: Note first",
  "2[1].1(module).3(note).1[2].1 The module cli: note: Note second",
  "3(note).1[1].1 note: Note first",
  "3(note).1[2].1 note: Note second",
];

const obeys = () =>
  scriptedModel((request): Said => {
    const { planning, answers } = placeOf(request);
    if (planning) throw new Error("This program is given.");
    const text = request.messages.find(({ content }) => content.includes("Instruction "))?.content ?? "";
    const writes = [...text.matchAll(/^write (\S+) (.*)$/gm)].map(([, path = "", content = ""]) =>
      writeFile(path, `${content}\n`),
    );
    if (answers === 0 && writes.length > 0) return { calls: writes };
    return { calls: [["complete_instruction", { summary: "done" }]] };
  });

const submission = (program = linked(WHOLE)) => aSubmission({ options: { reflect: 0 }, submission: { program } });

async function stepsOf(machine: TestMachine, id: string): Promise<string[]> {
  const { instructions } = await look(machine, id);
  return instructions.map(({ frames = [], title }) => `${placeText(frames)} ${title}`);
}

describe("a program that calls others", () => {
  it("takes their steps in its order, named by the calls, with parameters as data", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const run = await compute(machine, await submission());
    expect(run).toMatchObject({ status: "completed", instructions: 6, packed: 6 });
    expect(await stepsOf(machine, run.id)).toEqual(STEPS);
    const { tree, events } = await look(machine, run.id);
    expect(Object.keys(tree).toSorted()).toEqual([
      ...["notes/first.txt", "notes/second.txt", "parts.txt", "src/cli.txt"],
    ]);
    const { instructions } = await storedProgram(machine, run);
    expect(instructions.map(({ text }) => text)).toEqual([
      "write parts.txt cli",
      "write src/cli.txt cli by {{text}} and cli",
      ...["write notes/first.txt cli done", "write notes/second.txt cli done"],
      ...["write notes/first.txt end", "write notes/second.txt end"],
    ]);
    expect(events.flatMap((event) => (event.type === "checked" ? [`${event.place} ${event.text}`] : []))).toEqual([
      "2 the list of a loop",
      "2[1].1(module).2 docs/cli.txt exists",
    ]);
  });

  it("is computed to the same tree through deaths inside of calls", async () => {
    const homes: TestMachine[] = [];
    const mortal = { submission: await submission(), model: obeys, homes };
    const plain = await throughDeaths(mortal, []);
    expect(plain.run.status).toBe("completed");
    for (let call = 5; call <= plain.boundaries; call += 23) {
      const after = await throughDeaths(mortal, [{ call, when: call % 2 ? "after" : "before" }]);
      expect([call, after.hash, after.instructions.length]).toEqual([call, plain.hash, 6]);
    }
    for (const home of homes) home.removeHome();
  });

  it("is replayed from its journal", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const run = await compute(machine, await submission());
    const replayed = await machine.replay(run.id);
    expect(replayed).toMatchObject({ turns: run.turns, treeHash: replayed.expected });
    expect(replayed.difference).toBeUndefined();
  });

  it("goes back to a step inside a call, and on through the rest of the program", async () => {
    const machine = opened({ model: obeys(), evaluator: alwaysGreen });
    const run = await compute(machine, await submission());
    const back = await machine.submit(await submissionBefore(machine, run, { to: 3, name: "back" }));
    const again = await machine.compute(back.id, new AbortController().signal);
    expect(again.status).toBe("completed");
    expect(await stepsOf(machine, again.id)).toEqual(STEPS.slice(2));
  });

  it("keeps the ids of a called program where a step of it is split, and does not go back to a part", async () => {
    const part = (title: string) => ({ title, text: `${title}.`, requirements: [] });
    const parts: Said = { calls: [["write_program", { instructions: [part("Half"), part("Rest")] }]] };
    const model = scriptedModel(
      (request) => {
        const isStuck = request.messages.some(({ content }) => content.includes(": Parse\n"));
        const summary = `summary ${placeOf(request).instruction}`;
        return { calls: [isStuck ? ["list_files", {}] : ["complete_instruction", { summary }]] };
      },
      () => parts,
    );
    const parse = { id: "parse", title: "Parse", text: "Parse." };
    const body = [parse, "Between.", { title: "Print", text: "Print.", needs: ["parse"] }];
    const program = draftFromData({ instructions: [{ kind: "call", title: "Twice", program: "a.md", body }, "End."] });
    if ("problem" in program) throw new Error(program.problem);
    const machine = opened({ model, evaluator: alwaysGreen });
    const run = await compute(machine, await submission(program));
    expect(run).toMatchObject({ status: "completed", instructions: 5 });
    const { instructions } = await look(machine, run.id);
    const shown = instructions.map(({ frames = [], isPart, title }) => [placeText(frames), isPart, title]);
    expect(shown.slice(0, 3)).toEqual([
      ["1(a).1", true, "Half"],
      ["1(a).1", true, "Rest"],
      ["1(a).2", undefined, "Twice: Between"],
    ]);
    const print = model.requests.find(({ messages }) =>
      messages.some(({ content }) => content.includes(": Twice: Print\n")),
    );
    const text = print?.messages.map(({ content }) => content).join("\n");
    expect(text).toContain("Instruction 2 reported: summary 2");
    expect(text).not.toContain("reported: summary 3");
    await expect(submissionBefore(machine, run, { to: 2, name: "back" })).rejects.toThrow(
      "it is a part of one that was split",
    );
  });

  it("is shown whole to the person who approves it, and is the same when it comes back", () => {
    const program = linked(WHOLE);
    const text = renderProgramMarkdown(program);
    expect(text).toContain(
      '{.call program=note.yaml with={"text":"end"}}\n\n   1. {.for_each items=["first","second"]',
    );
    expect(parseProgramMarkdown(text)).toEqual(program);
  });
});
