/** Calls that were accepted before, and whose steps are executed all the same. */
import { expect, it } from "vitest";
import { draftFromData } from "../../lib/core/program/program-text.ts";
import { checkingEvaluator } from "../doubles/checking-evaluator.ts";
import { look } from "../doubles/deaths.ts";
import { code, proving, requirements, scripted, write } from "../doubles/evidence-runs.ts";
import { alwaysGreen, aSubmission, compute } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { scriptedModel, writeFile } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();
const CALL = { kind: "call", title: "Call", program: "called.md", with: {}, needs: [] };

it("a step is executed where its prompt lists other files, whose names the model can take", async () => {
  const model = scriptedModel((request) => {
    const text = request.messages.map(({ content }) => content).join("\n");
    const isFirst = !request.messages.some(({ role }) => role === "assistant");
    const [name = ""] = /\w+\.py/.exec(text) ?? [];
    return {
      calls: isFirst ? [writeFile("README.md", `python ${name}\n`)] : [["complete_instruction", { summary: "done" }]],
    };
  });
  const machine = opened({ model, evaluator: alwaysGreen });
  const program = draftFromData({
    instructions: [{ ...CALL, body: ["Write how it is started."] }],
  });
  if ("problem" in program) throw new Error(program.problem);
  const readmeOf = async (path: string, content: string) => {
    const from = new Map([[path, new TextEncoder().encode(content)]]);
    const { id, calls } = await compute(
      machine,
      await aSubmission({ options: { reflect: 0 }, submission: { program, from } }),
    );
    return [calls, (await look(machine, id)).tree["README.md"]];
  };
  const alpha = await readmeOf("alpha.py", "print(1)\n");
  const beta = await readmeOf("beta.py", "print(1)\n");
  expect([alpha[0], beta[0]]).toEqual([2, 2]);
  expect(alpha[1]).not.toEqual(beta[1]);
  expect(await readmeOf("beta.py", "print(2)\n")).toEqual([0, beta[1]]);
});

it("a step that serves a requirement is executed like the first time where evidence is asked for, with as many checks, and replays exactly", async () => {
  const evaluator = checkingEvaluator();
  const model = scripted([[[write(code("base", "return 0;"))]], proving("a", "R1")]);
  const machine = opened({ model, evaluator });
  const part = { title: "Part", text: "Write it.", requirements: ["R1"] };
  const program = draftFromData({
    requirements: requirements(1),
    instructions: [{ ...CALL, body: ["Write the base.", part] }],
  });
  if ("problem" in program) throw new Error(program.problem);
  const executed = async () => {
    const before = evaluator.asked.length;
    const options = { reflect: 0, evidence: "own" as const };
    const { id, status, calls, instructions } = await compute(
      machine,
      await aSubmission({ options, submission: { program, requirements: requirements(1) } }),
    );
    const events = await machine.registry.events(id, { after: 0, limit: 1_000 });
    const made = events.flatMap((event) => (event.type === "made" ? [`${event.instruction} ${event.decision}`] : []));
    return { id, asked: evaluator.asked.slice(before), found: [status, instructions, calls, made] };
  };
  const first = await executed();
  const again = await executed();
  expect([first.found, again.found]).toEqual([
    ["completed", 2, 5, []],
    ["completed", 2, 3, ["1 copied"]],
  ]);
  // The copy of the first step is checked once, at the gate.
  expect(again.asked).toEqual(first.asked.slice(1));
  expect((await machine.replay(again.id)).difference).toBeUndefined();
});
