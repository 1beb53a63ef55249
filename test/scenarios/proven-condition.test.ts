/** The condition `proven`: what the evidence of a requirement showed at the gate of the last step. */
import { describe, expect, it } from "vitest";
import { waive } from "../../lib/control/evidence/waive.ts";
import type { Draft } from "../../lib/core/program/program.ts";
import { draftFromData } from "../../lib/core/program/program-text.ts";
import { checkingEvaluator } from "../doubles/checking-evaluator.ts";
import { code, proving, scripted, write } from "../doubles/evidence-runs.ts";
import { aSubmission, compute } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import type { Call } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();

const PROVEN = { requirement: "R1", proven: true };

function draftOf(instructions: unknown[]): Draft {
  const draft = draftFromData({ requirements: [{ id: "R1", text: "Part 1 works." }], instructions });
  if ("problem" in draft) throw new Error(draft.problem);
  return draft;
}

const program = (otherwise: "repair" | "stop"): Draft =>
  draftOf([
    { title: "Write it", text: "Write part 1.", requirements: ["R1"] },
    { kind: "assert", check: PROVEN, otherwise },
    {
      ...{ kind: "if", condition: PROVEN },
      // biome-ignore lint/suspicious/noThenProperty: it is a list, and the language calls it so
      then: [{ title: "Describe it", text: "Write a page." }],
      else: [{ title: "Excuse it", text: "Write an excuse." }],
    },
  ]);

async function computed(
  turns: Call[][][],
  { otherwise = "stop" as "repair" | "stop", evidence = "own" as "own" | "off" } = {},
) {
  const model = scripted(turns);
  const machine = opened({ model, evaluator: checkingEvaluator() });
  const options = { reflect: 0, evidence };
  const submission = await aSubmission({ options, submission: { program: program(otherwise), requirements: [] } });
  const run = await compute(machine, submission);
  const events = await machine.registry.events(run.id, { after: 0, limit: 1_000 });
  const checked = events.flatMap((event) => (event.type === "checked" ? [[event.holds, event.detail]] : []));
  return {
    machine,
    run,
    checked,
    said: model.requests.flatMap(({ messages }) => messages.map(({ content }) => content)).join("\n"),
  };
}

const page = [[write({ "docs/page.md": "A page.\n" })]];

describe("the condition that a requirement is proven", () => {
  it("holds once a check proves it, and decides the branch", async () => {
    const { machine, run, checked } = await computed([proving("a", "R1"), page]);
    expect(run).toMatchObject({ status: "completed", proven: { proven: 1, total: 1 } });
    expect(checked).toEqual([
      [true, "grade E2"],
      [true, "grade E2"],
    ]);
    const titles = (await machine.registry.instructions(run.id)).map(({ title }) => title);
    expect(titles).toEqual(["Write it", "Describe it"]);
    expect((await machine.replay(run.id)).difference).toBeUndefined();
  });

  it("does not hold without evidence, so that the run stops and goes on once it is waived", async () => {
    const { machine, run, checked } = await computed([[[write(code("a", "return 1;"))]], page]);
    expect(run).toMatchObject({ status: "partial", reason: "check_failed" });
    expect(checked).toEqual([[false, "no evidence"]]);
    await waive(machine.world, run.id, { requirement: "R1", reason: "tried by hand" });
    const resumed = await machine.resume(run.id, {});
    const ended = await machine.compute(resumed.id, new AbortController().signal);
    expect(ended).toMatchObject({ status: "completed", proven: { waived: ["R1"] } });
  });

  it("is repaired by a step that writes what is missing, and proves it", async () => {
    const repair: Call[][] = [...proving("a", "R1"), [["complete_instruction", { summary: "done" }]]];
    const { run, checked } = await computed([[[write(code("other", "return 1;"))]], repair, page], {
      otherwise: "repair",
    });
    expect(run).toMatchObject({ status: "completed", proven: { proven: 1 } });
    expect(checked).toEqual([
      [false, "no evidence"],
      [true, "grade E2"],
      [true, "grade E2"],
    ]);
  });

  it("serves its requirement where it is repaired, so that the model reads what is missing", async () => {
    const { run, said } = await computed([[[write(code("other", "return 1;"))]], proving("a", "R1"), page], {
      otherwise: "repair",
    });
    expect(run).toMatchObject({ status: "completed" });
    expect(said).toContain("R1: Part 1 works.");
  });

  it("is found out on the files of now: an answer that breaks the work has no gate", async () => {
    const draft = draftOf([
      { title: "Write it", text: "Write part 1.", requirements: ["R1"] },
      { kind: "ask", question: "What is the code?", saveTo: "src/a.js" },
      { kind: "assert", check: PROVEN, otherwise: "stop" },
      { title: "Describe it", text: "Write a page." },
    ]);
    const machine = opened({ model: scripted([proving("a", "R1")]), evaluator: checkingEvaluator() });
    const options = { reflect: 0, evidence: "own" as const };
    const asked = await compute(
      machine,
      await aSubmission({ options, submission: { program: draft, requirements: [] } }),
    );
    await machine.answer(asked.id, { step: 2, text: "nothing" });
    const run = await machine.compute(asked.id, new AbortController().signal);
    expect(run).toMatchObject({ status: "partial", reason: "check_failed" });
    expect(run.detail).toContain('"R1 is proven" does not hold (R1#1 red: ');
    expect((await machine.replay(run.id)).difference).toBeUndefined();
  });

  it("is refused for a requirement that there is not", async () => {
    const draft = draftOf([
      { title: "Write it", text: "Write part 1.", requirements: ["R1"] },
      { kind: "assert", check: { requirement: "R1", proven: true }, otherwise: "stop" },
    ]);
    const other = { ...draft, requirements: [{ id: "R2", text: "Part 2 works." }] };
    const machine = opened({ model: scripted([]), evaluator: checkingEvaluator() });
    const submission = await aSubmission({
      options: { evidence: "own" },
      submission: { program: other, requirements: [] },
    });
    await expect(machine.submit(submission)).rejects.toThrow(
      "asks whether R1 is proven, and there is no requirement R1",
    );
  });

  it("is refused with a run that asks for no evidence, before anything is created", async () => {
    await expect(computed([], { evidence: "off" })).rejects.toThrow(
      "has a condition `proven`, and this run asks for no evidence",
    );
  });
});
