/** Evidence of texts: passages, counts and links, which l2mac reads itself. Nothing is executed for it. */
import { describe, expect, it } from "vitest";
import { checkingEvaluator } from "../doubles/checking-evaluator.ts";
import { code, scripted, write } from "../doubles/evidence-runs.ts";
import { aSubmission, compute } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { type Call, lastText } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();

const MILL = "It rained when Anna found the mill empty.";
const ONE = "chapters/01-mill.md";
const passage = (words = MILL, path = ONE): Call => ["prove", { requirement: "R1", passages: [{ path, words }] }];
const chapter = (text: string, path = ONE): Call => write({ [path]: `# A chapter\n\n${text}\n` });

interface Book {
  texts?: string[];
  domain?: "book" | "codebase";
}

/** An instruction for each list of turns; instruction n serves Rn. */
async function computed(turns: Call[][][], { texts = [], domain = "book" }: Book = {}) {
  const model = scripted(turns);
  const evaluator = checkingEvaluator();
  const machine = opened({ model, evaluator });
  const requirements = turns.map((_, at) => ({ id: `R${at + 1}`, text: texts[at] ?? "Anna finds the mill." }));
  const instructions = requirements.map(({ id, text }) => ({ title: text, text, requirements: [id] }));
  const run = await compute(
    machine,
    await aSubmission({
      options: { reflect: 0, evidence: "own", domain },
      submission: { requirements, program: { requirements, instructions } },
    }),
  );
  const evidence = await machine.registry.evidence(run.id);
  return { machine, run, evidence, evaluator, said: model.requests.map(lastText).join("\n") };
}

describe("a requirement of a book", () => {
  it("is proven by a passage that was not there before, said to be no more than that", async () => {
    const { run, evidence, evaluator, machine } = await computed([[[chapter(MILL)], [passage()]]]);
    expect(run).toMatchObject({ status: "completed", proven: { proven: 1, total: 1, byText: ["R1"] } });
    expect(run.proven).not.toHaveProperty("ungraded");
    expect(run.detail).toContain("By their text, not for how good it is: R1.");
    expect(evidence).toMatchObject([
      {
        ...{ grade: 1, noStubs: "documents", base: { status: "missing" } },
        ...{ work: { status: "passed", detail: `${ONE}:3` }, delivered: { status: "passed", detail: `${ONE}:3` } },
      },
    ]);
    expect(evaluator.asked.filter((what) => what.includes("node") || what.includes("chapters"))).toEqual([]);
    const replayed = await machine.replay(run.id);
    expect(replayed.difference).toBeUndefined();
  });

  it("that a later instruction takes out of the text blocks that instruction, until it is back", async () => {
    const away = chapter("She went away on foot.");
    const { run, evidence, said } = await computed([
      [[chapter(MILL)], [passage()]],
      [
        [away, chapter("The road was long.", "chapters/02.md")],
        [["prove", { requirement: "R2", passages: [{ path: ONE, words: "She went away on foot." }] }]],
        [["complete_instruction", { summary: "done" }]],
        [chapter(`${"More.\n\n".repeat(20)}It rained when Anna\nfound the mill empty. She went away on foot.`)],
      ],
    ]);
    expect(said).toContain("Requirements that were proven are broken on this tree:");
    expect(said).toContain(`${ONE} does not say "It rained when Anna found the mill empty."`);
    expect(run).toMatchObject({ status: "completed", proven: { proven: 2 } });
    // Found again where its lines are now.
    expect(evidence[0]).toMatchObject({ again: { detail: `${ONE}:43-44` }, delivered: { status: "passed" } });
  });

  it.each<[string, Call[][], string]>([
    ["was there before", [[passage()]], "passes on the files before this instruction too"],
    [
      "was in another chapter before",
      [[chapter(MILL, "chapters/02.md")], [passage(MILL, "chapters/02.md")]],
      `it shows nothing of the work: ${ONE} said`,
    ],
    ["is not there", [[passage("He never came to the mill.")]], "does not say"],
    ["is too short", [[passage("the mill")]], "quote 5 words at least"],
    [
      "is a command, which a book does not execute",
      [[["prove", { requirement: "R2", argv: ["true"] }]]],
      "nothing is executed",
    ],
    [
      "is of a file of code",
      [[passage("const it = 1 and so on;", "src/a.js")]],
      "src/a.js is no document: what code does is proven by tests",
    ],
    [
      "is a count where no number is asked for",
      [
        [chapter("Short.", "chapters/02.md")],
        [["prove", { requirement: "R2", counts: [{ of: "words", path: "chapters/02.md", least: 1 }] }]],
      ],
      "a count proves only a requirement that names its number and what is counted",
    ],
  ])("is not proven by what %s", async (_, turns, why) => {
    const second = turns.map((calls) =>
      calls.map(([name, args]): Call => [name, name === "prove" ? { ...(args as object), requirement: "R2" } : args]),
    );
    const { run, said } = await computed([[[chapter(MILL)], [passage()]], second]);
    expect(said).toContain(why);
    expect(run).toMatchObject({ status: "partial", reason: "unproven", proven: { proven: 1, total: 2 } });
  });
});

describe("a requirement of code", () => {
  const README = "Call add with two numbers and it adds them.";
  const turns = [
    [[write({ ...code("add", "return 1;"), "README.md": `${README}\n` })], [passage(README, "README.md")]],
  ];

  it("is not proven by what a README says", async () => {
    const { run, evidence } = await computed(turns, { domain: "codebase", texts: ["Two numbers are added."] });
    expect(run).toMatchObject({ status: "partial", proven: { proven: 0, unproven: [{ requirement: "R1" }] } });
    expect(evidence).toMatchObject([{ grade: 1, reason: expect.stringContaining("asks for no document") }]);
  });

  it("that asks for a README is", async () => {
    const { run } = await computed(turns, { domain: "codebase", texts: ["The README says what add does."] });
    expect(run).toMatchObject({ status: "completed", proven: { proven: 1, byText: ["R1"] } });
  });
});
