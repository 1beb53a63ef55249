/** A run that begins inside a loop and gets another program: it keeps its place, or the program is refused. */
import { describe, expect, it } from "vitest";
import { submissionBefore } from "../../lib/control/lifecycle/go-back.ts";
import { keepsPlace } from "../../lib/core/program/language/kept-place.ts";
import { placeText } from "../../lib/core/program/language/step-title.ts";
import type { Draft } from "../../lib/core/program/program.ts";
import { draftFromData, programIn } from "../../lib/core/program/program-text.ts";
import { look } from "../doubles/deaths.ts";
import { alwaysGreen, aSubmission, compute } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { placeOf, type Said, scriptedModel, writeFile } from "../doubles/scripted-model.ts";
import { seededProgram } from "../program/seeded-program.ts";

const { opened } = openedMachines();
const never = new AbortController().signal;

const read = (instructions: unknown[]): Draft => {
  const draft = draftFromData({ instructions });
  if ("problem" in draft) throw new Error(draft.problem);
  return draft;
};

const first = { title: "List", text: 'write parts.json ["a","b","c"]' };
const loop = (body: unknown[], more: object = {}) => ({
  ...{ kind: "for_each", items: { file: "parts.json" }, as: "part", atMost: 5, body, ...more },
});
const part = { title: "Write {{part}}", text: "write {{part}}.txt one" };
const OWN = [first, loop([part]), "write end.txt end"];

const model = () =>
  scriptedModel((request): Said => {
    const { answers } = placeOf(request);
    const text = request.messages.map(({ content }) => content).join("\n");
    const writes = [...text.matchAll(/^write (\S+) (.*)$/gm)].map(([, path = "", content = ""]) =>
      writeFile(path, `${content}\n`),
    );
    return answers === 0 ? { calls: writes } : { calls: [["complete_instruction", { summary: "done" }]] };
  });

/** Waits for approval, and begins with the second round of the loop. */
async function waiting() {
  const machine = opened({ model: model(), evaluator: alwaysGreen });
  const submission = await aSubmission({ options: { reflect: 0 }, submission: { program: read(OWN) } });
  const run = await compute(machine, submission);
  const back = await submissionBefore(machine, run, { to: 3, name: "again" });
  const again = await machine.submit({ ...back, options: { ...back.options, approve: "plan" } });
  expect(await machine.compute(again.id, never)).toMatchObject({ status: "waiting", reason: "approval" });
  return { machine, id: again.id };
}

const better = { ...part, text: "write {{part}}.txt two" };

describe("a run that begins inside a loop", () => {
  it("goes on from its place with a program that is another one only from there on", async () => {
    const { machine, id } = await waiting();
    await machine.approve(id, read([first, loop([better]), "write last.txt last"]));
    const run = await machine.compute(id, never);
    expect(run).toMatchObject({ status: "completed", instructions: 3 });
    const { instructions, tree } = await look(machine, id);
    expect(instructions.map(({ frames = [], title }) => `${placeText(frames)} ${title}`)).toEqual([
      ...["2[2].1 Write b", "2[3].1 Write c", "3 write last.txt last"],
    ]);
    expect([tree["a.txt"], tree["b.txt"], tree["c.txt"]]).toEqual(["one\n", "two\n", "two\n"]);
    const replayed = await machine.replay(id);
    expect([replayed.difference, replayed.treeHash]).toEqual([undefined, replayed.expected]);
  });

  it.each([
    ["an instruction before it", [{ ...first, text: "write parts.json []" }, loop([part])]],
    ["the loop around it", [first, loop([part], { items: ["a"] })]],
    ["how often the loop runs", [first, loop([part], { atMost: 9 })]],
    ["a list", [first, part]],
    ["one instruction less", [loop([part])]],
  ])("refuses a program that changes %s, and waits as it was", async (_, instructions) => {
    const { machine, id } = await waiting();
    await expect(machine.approve(id, read(instructions))).rejects.toMatchObject({
      ...{ exitCode: 2, field: "program" },
      message: expect.stringContaining("The run begins at 2[2].1 of its program"),
    });
    expect(await machine.registry.run(id)).toMatchObject({ status: "waiting", reason: "approval" });
    await machine.approve(id);
    expect(await machine.compute(id, never)).toMatchObject({ status: "completed", instructions: 3 });
  });
});

it("every program keeps every place in itself", () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const program = seededProgram(seed);
    const copy = structuredClone(program);
    expect(keepsPlace(program, copy, [{ at: program.instructions.length - 1 }])).toBe(true);
  }
  expect(keepsPlace(programIn(read(OWN)), programIn(read(["Another."])), [{ at: 0 }])).toBe(true);
});
