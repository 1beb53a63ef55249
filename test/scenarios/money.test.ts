/** What calls reserve, and what is left of the budget after calls that nobody knows the cost of. */
import { afterEach, describe, expect, it } from "vitest";
import { ModelError } from "../../lib/core/errors.ts";
import { alwaysGreen, aMachine, aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { placeOf, programOf, type Said, scriptedModel, writeFile } from "../doubles/scripted-model.ts";

let machine: TestMachine;
afterEach(() => {
  machine.close();
  machine.removeHome();
});

/** gpt-5.5, with the default budget. */
const dear = {
  profile: {
    price: { input: 5, output: 30 },
    contextWindow: 272_000,
    maxOutputTokens: 128_000,
    temperature: false,
  },
  options: { reflect: 0, budget: { usd: 5 } },
};
const writes = (request: Parameters<typeof placeOf>[0]): Said =>
  placeOf(request).planning
    ? { calls: [["write_program", { instructions: programOf(1) }]] }
    : { calls: [writeFile("a.txt"), ["complete_instruction", { summary: "written" }]] };

describe("a model that can write far more than an answer needs", () => {
  it("leaves $4 of $5 after two time-outs, and the run completes", async () => {
    const model = scriptedModel((request, call) => {
      if (call <= 2) throw new ModelError("no answer", { kind: "timed_out", perhapsPaid: true });
      return writes(request);
    });
    machine = aMachine({ model, evaluator: alwaysGreen });
    const run = await compute(machine, await aSubmission(dear));
    expect(run.status).toBe("completed");
    expect(run.microUsd).toBeGreaterThan(0);
    expect(run.microUsd).toBeLessThanOrEqual(1_000_000);
  });

  it("is given twice the room after an answer that was cut, in later instructions too", async () => {
    const model = scriptedModel((request, call) => {
      const { planning, instruction } = placeOf(request);
      if (planning) return { calls: [["write_program", { instructions: programOf(2) }]] };
      if (call <= 3) return { finish: "cut", text: "thinking", usage: { outputTokens: request.maxOutputTokens } };
      return { calls: [writeFile(`${instruction}.txt`), ["complete_instruction", { summary: "written" }]] };
    });
    machine = aMachine({ model, evaluator: alwaysGreen });
    const run = await compute(machine, await aSubmission({ ...dear, options: { reflect: 0, budget: { usd: 20 } } }));
    expect(run.status).toBe("completed");
    const limits = model.requests.map(({ maxOutputTokens }) => maxOutputTokens);
    expect(limits).toEqual([16_384, 16_384, 32_768, 65_536, 65_536]);
    const { difference } = await machine.replay(run.id);
    expect(difference).toBeUndefined();
  });
});
