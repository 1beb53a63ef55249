/** Instructions that name what they need: each is handed the results of just these. */
import { describe, expect, it } from "vitest";
import { SubmissionBody } from "../../lib/api/submission-body.ts";
import { submissionOfFork } from "../../lib/control/fork/submission-of-fork.ts";
import { submissionBefore } from "../../lib/control/lifecycle/go-back.ts";
import { programOf } from "../../lib/control/program/stored-program.ts";
import { handOver } from "../../lib/control/turn/first-message.ts";
import type { ModelRequest } from "../../lib/core/ports.ts";
import {
  draftFromData,
  parseProgramMarkdown,
  programData,
  renderProgramMarkdown,
} from "../../lib/core/program/program-text.ts";
import { look } from "../doubles/deaths.ts";
import { alwaysGreen, aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { placeOf, type Said, scriptedModel, writeFile } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();

const PROGRAM = `# Program

1. **Parser** {#parser}
   Write the parser.
2. **Printer** {#printer needs=[]}
   Write the printer.
3. **Round trip** {#trip needs=["parser","printer"]}
   Test both.
4. **Manual** {needs=["parser"]}
   Describe the parser.
`;

const draft = () => {
  const read = parseProgramMarkdown(PROGRAM);
  if ("problem" in read) throw new Error(read.problem);
  return read;
};

const textOf = ({ messages }: ModelRequest): string => messages.map(({ content }) => content).join("\n");

const summarizing = (request: ModelRequest): Said => {
  const { instruction, answers } = placeOf(request);
  if (answers === 0) return { calls: [writeFile(`f${instruction}.txt`)] };
  return { calls: [["complete_instruction", { summary: `summary ${instruction}` }]] };
};

const submission = () => aSubmission({ options: { reflect: 0 }, submission: { program: draft() } });

const reportedIn = (requests: ModelRequest[], number: number): string[] => {
  const request = requests.find((each) => textOf(each).includes(`Instruction ${number} of `));
  return [...(request ? textOf(request) : "").matchAll(/reported: (summary \d)/g)].map(([, summary = ""]) => summary);
};

describe("an instruction with needs", () => {
  it("is handed what these reported, and not what the one before it did", async () => {
    const model = scriptedModel(summarizing);
    const run = await compute(opened({ model }), await submission());
    expect(run.status).toBe("completed");
    expect([1, 2, 3, 4].map((number) => reportedIn(model.requests, number))).toEqual([
      [],
      [],
      ["summary 1", "summary 2"],
      ["summary 1"],
    ]);
  });

  it("keeps its ids and needs in the stored program, in both notations", async () => {
    const machine = opened({ model: scriptedModel(summarizing) });
    const run = await compute(machine, await submission());
    const { instructions } = await look(machine, run.id);
    expect(instructions.map(({ id, needs }) => [id, needs])).toEqual([
      ["parser", undefined],
      ["printer", []],
      ["trip", ["parser", "printer"]],
      [undefined, ["parser"]],
    ]);
    expect(parseProgramMarkdown(renderProgramMarkdown(draft()))).toEqual(draft());
  });

  it("is taken by the API as the program is sent", () => {
    const sent = JSON.parse(JSON.stringify(programData(draft())));
    expect(SubmissionBody.parse({ task: "Print it", program: sent }).program).toEqual(sent);
  });

  it("finds the last part under the id of an instruction that was split", async () => {
    const circling = (request: ModelRequest): Said =>
      textOf(request).includes(": Parser\n")
        ? placeOf(request).answers === 0
          ? { calls: [writeFile("begun.txt")] }
          : { calls: [["list_files", {}]] }
        : summarizing(request);
    const part = (title: string) => ({ title, text: `Do ${title}.`, requirements: [] });
    const parts: Said = { calls: [["write_program", { instructions: [part("Half"), part("Other half")] }]] };
    const model = scriptedModel(circling, () => parts);
    const machine = opened({ model });
    const run = await compute(machine, await submission());
    expect(run.status).toBe("completed");
    const { instructions } = await look(machine, run.id);
    expect(instructions.map(({ title, id }) => [title, id])).toEqual([
      ["Half", undefined],
      ["Other half", "parser"],
      ["Printer", "printer"],
      ["Round trip", "trip"],
      ["Manual", undefined],
    ]);
    const [other] = instructions.filter(({ id }) => id === "parser");
    const manual = model.requests.find((request) => textOf(request).includes(": Manual\n"));
    expect(manual && textOf(manual)).toContain(other && handOver(other));
  });
});

describe("a new run of the rest of a program", () => {
  const instructionsOf = async (machine: TestMachine, id: string) => (await look(machine, id)).instructions;

  it("begins with the reports that its first instruction needs, and names no id that was cut off", async () => {
    const model = scriptedModel(summarizing);
    const machine = opened({ model });
    const run = await compute(machine, await submission());
    const asked = model.requests.length;
    const back = await submissionBefore(machine, run, { to: 3, name: "back" });
    const waiting = await compute(machine, { ...back, options: { ...back.options, approve: "plan" } });
    const served = await programOf(machine, waiting);
    expect(served.instructions.map(({ id, needs }) => [id, needs])).toEqual([
      ["trip", undefined],
      [undefined, []],
    ]);
    const again = draftFromData(programData(served));
    expect(again).toEqual(served);
    await machine.approve(waiting.id);
    await machine.compute(waiting.id, new AbortController().signal);
    const requests = model.requests.slice(asked);
    expect([1, 2].map((number) => reportedIn(requests, number))).toEqual([["summary 1", "summary 2"], []]);
  });

  it("of a loop begins with the reports that it needs", async () => {
    const model = scriptedModel(summarizing);
    const machine = opened({ model, evaluator: alwaysGreen });
    const [first, second, third] = ["First", "Second", "Third"].map((title) => ({ title, text: title, id: title }));
    const program = draftFromData({
      instructions: [{ kind: "group", body: [first, second, { ...third, needs: ["First"] }] }],
    });
    if ("problem" in program) throw new Error(program.problem);
    const run = await compute(machine, await aSubmission({ options: { reflect: 0 }, submission: { program } }));
    const asked = model.requests.length;
    await compute(machine, await submissionBefore(machine, run, { to: 3, name: "back" }));
    expect(reportedIn(model.requests.slice(asked), 1)).toEqual(["summary 1"]);
  });

  it("as a fork may need what it inherits, and not have the same ids", async () => {
    const model = scriptedModel(summarizing);
    const machine = opened({ model });
    const run = await compute(machine, await submission());
    const asked = model.requests.length;
    const rest = (id: string, needs: string[]) => {
      const read = draftFromData({ instructions: [{ title: "New", text: "New.", id, needs }] }, { follows: true });
      if ("problem" in read) throw new Error(read.problem);
      return submissionOfFork(machine, run, { at: "2", name: "fork", program: read });
    };
    const forked = await compute(machine, await rest("new", ["parser"]));
    expect(forked).toMatchObject({ status: "completed", instructions: 3 });
    expect((await instructionsOf(machine, forked.id))[2]).toMatchObject({ id: "new", needs: ["parser"] });
    expect(reportedIn(model.requests.slice(asked), 3)).toEqual(["summary 1"]);
    await expect(rest("parser", [])).rejects.toThrow("two instructions have the id `parser`");
    await expect(rest("new", ["trip"])).rejects.toThrow("`needs` names `trip`, and no instruction has this id");
  });
});

describe("an instruction of a program with blocks", () => {
  const step = (title: string, more = {}) => ({ title, text: `Do ${title}.`, ...more });
  const instructions = [
    { kind: "group", id: "base", body: [step("First"), step("Second")] },
    { kind: "assert", id: "mended", check: { file: "f3.txt", exists: true }, otherwise: "repair", needs: ["base"] },
    step("Between"),
    { kind: "group", needs: ["base"], body: [step("Inner"), step("Next")] },
    step("Both", { needs: ["base", "mended"] }),
  ];

  it("is handed what blocks and repairs reported", async () => {
    const program = draftFromData({ instructions });
    if ("problem" in program) throw new Error(program.problem);
    const model = scriptedModel(summarizing);
    const machine = opened({ model, evaluator: alwaysGreen });
    const run = await compute(machine, await aSubmission({ options: { reflect: 0 }, submission: { program } }));
    expect(run).toMatchObject({ status: "completed", instructions: 7 });
    const handed = [1, 2, 3, 4, 5, 6, 7].map((number) => reportedIn(model.requests, number).join(", "));
    const [base, repair] = ["summary 2", "summary 3"];
    expect(handed).toEqual(["", "summary 1", base, repair, base, "summary 5", `${base}, ${repair}`]);
    const { instructions: steps } = await look(machine, run.id);
    expect(steps[2]).toMatchObject({ id: "mended", needs: ["base"] });
  });
});
