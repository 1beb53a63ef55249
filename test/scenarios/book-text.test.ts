/** A book's text at the gate: what no reader should see is reported when it is written, and a chapter has the length asked for. */
import { afterAll, expect, it } from "vitest";
import type { ModelRequest } from "../../lib/core/ports.ts";
import { look } from "../doubles/deaths.ts";
import { removeFolders } from "../doubles/evaluation.ts";
import { aMachine, aSubmission, compute } from "../doubles/machines.ts";
import { realEvaluator } from "../doubles/real-evaluator.ts";
import { placeOf, type Said, scriptedModel } from "../doubles/scripted-model.ts";

afterAll(removeFolders);

const words = (count: number): string => Array.from({ length: count }, (_, at) => `word${at}`).join(" ");
const write = (content: string): Said => ({
  calls: [["write_files", { files: [{ path: "chapters/01-one.md", content: `# One\n\n${content}\n` }] }]],
});
const done: Said = { calls: [["complete_instruction", { summary: "done" }]] };
const program = [{ title: "One", text: "Write chapter 1, about 400 words.", requirements: [] }];
const turns: Said[] = [write("Here is the chapter:"), write(words(120)), done, write(words(390)), done];

const script = (request: ModelRequest): Said => {
  const { planning, answers } = placeOf(request);
  return planning ? { calls: [["write_program", { instructions: program }]] } : (turns[answers] ?? done);
};

it("a chapter is written again until its text can be accepted, and a replay finds the same", async () => {
  const model = scriptedModel(script);
  const machine = aMachine({ model, evaluator: realEvaluator() });
  try {
    const options = { domain: "book", reflect: 0 } as const;
    const run = await compute(machine, await aSubmission({ task: "Write a book.", options }));
    expect(run.status).toBe("completed");
    const said = model.requests.at(-1)?.messages.flatMap(({ role, content }) => (role === "tool" ? [content] : []));
    expect(said).toEqual([
      expect.stringMatching(/^Text: 1 error\.[\s\S]*chapters\/01-one\.md:3:1 an announcement of the text/m),
      expect.stringContaining("Text: ok."),
      expect.stringMatching(
        /the text must be put right first\.[\s\S]*121 words, and the instruction asks for 300 at least \(words\)/,
      ),
      expect.stringContaining("Text: ok."),
    ]);
    const { events } = await look(machine, run.id);
    expect(events.filter(({ type }) => type === "instruction_accepted")).toMatchObject([{ unchecked: false }]);
    expect(JSON.stringify(events)).toContain("not accepted: the text");
    expect((await machine.replay(run.id)).difference).toBeUndefined();
  } finally {
    machine.close();
    machine.removeHome();
  }
});
