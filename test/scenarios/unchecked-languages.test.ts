/** A task in a language that cannot be checked where it is computed: the planner and the person read it before anything is paid for. */
import { expect, it } from "vitest";
import { alwaysGreen, aSubmission, compute } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { lastText, scriptedModel, writerOf } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();

const CANNOT = "This computer cannot check Rust: install cargo or choose another language.";
const works = () => writerOf(1, () => [{ path: "new.txt", content: "new\n" }]);
const inRust = () => aSubmission({ options: { reflect: 0 }, task: "Write a calculator in Rust." });

it("is said once to the person and to the planner, and a replay reads the same", async () => {
  const model = scriptedModel(works());
  const machine = opened({ model, evaluator: { ...alwaysGreen, programs: () => ["python3"] } });
  const run = await compute(machine, await inRust());
  expect(run.status).toBe("completed");
  const [planning, first] = model.requests;
  expect(JSON.stringify(planning?.messages)).toContain(`# Languages\\n\\n${CANNOT}`);
  expect(JSON.stringify(first?.messages)).not.toContain("# Languages");
  const events = await machine.registry.events(run.id, { after: 0, limit: 100 });
  expect(events.filter((event) => event.type === "notice" && event.text === CANNOT)).toHaveLength(1);
  const replayed = await machine.replay(run.id);
  expect(replayed.difference).toBeUndefined();
  expect(replayed.turns).toBe(run.turns);
});

it.each([
  ["where cargo is there", { ...alwaysGreen, programs: () => ["cargo"] }],
  ["where that is not known", alwaysGreen],
])("is not said %s", async (_, evaluator) => {
  const model = scriptedModel(works());
  await compute(opened({ model, evaluator }), await inRust());
  const [planning] = model.requests;
  expect(lastText(planning ?? { messages: [], tools: [], maxOutputTokens: 0, timeoutMs: 0 })).not.toContain(
    "cannot check",
  );
});
