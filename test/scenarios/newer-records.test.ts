/** A newer version has gone on with a run, and this one meets what it wrote: it names it, leaves it, and ends nothing. */
import { describe, expect, it } from "vitest";
import { ModelError } from "../../lib/core/errors.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { alwaysGreen, aMachine, aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { placeOf, scriptedModel, writerOf } from "../doubles/scripted-model.ts";

const { machines } = openedMachines();
const works = writerOf(3, (instruction) => [{ path: `f${instruction}.txt`, content: `text ${instruction}\n` }]);

/** Stopped by its model server after the first turn of instruction 2. */
async function stopped(): Promise<{ machine: TestMachine; run: Run }> {
  let refusals = 1;
  const model = scriptedModel((request) => {
    const { instruction, answers } = placeOf(request);
    if (instruction === 2 && answers === 1 && refusals-- > 0)
      throw new ModelError("no", { kind: "credentials", perhapsPaid: false });
    return instruction === 2 && answers === 0 ? { text: "Thinking." } : works(request);
  });
  const machine = aMachine({ model, evaluator: alwaysGreen });
  machines.push(machine);
  const run = await compute(machine, await aSubmission({ options: { reflect: 0 } }));
  expect(run).toMatchObject({ reason: "credentials", packed: 1 });
  return { machine, run };
}

async function goneOn(machine: TestMachine, { id }: Run): Promise<Run> {
  await machine.resume(id, {});
  return machine.compute(id, new AbortController().signal);
}

const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

describe("an entry of the journal that a newer version wrote", () => {
  it.each([
    ["in another format", (body: object) => ({ ...body, format: 2 }), /it is of format 2, and this version reads 1/],
    [
      "with a word that this version does not know",
      (body: object) => ({
        ...body,
        results: [{ callId: "1", tool: "fork", ok: true, text: "", note: "", about: { kind: "branch" } }],
      }),
      /it has a results\.0\.about\.kind that this version does not know/,
    ],
  ])("%s leaves the run waiting, and that version goes on with it", async (_what, rewritten, says) => {
    const { machine, run } = await stopped();
    const [turn] = await machine.registry.turns(run.id, 2);
    const key = turn?.effectsKey ?? "";
    const bytes = await machine.files.get(key);
    const newer = JSON.stringify(rewritten(JSON.parse(text(bytes))));
    await machine.files.put(key, new TextEncoder().encode(newer));

    const left = await goneOn(machine, run);
    expect(left).toMatchObject({ status: "waiting", reason: "interrupted", packed: 1 });
    expect(left.detail).toMatch(/^A newer version of l2mac wrote entry 2\.1 of the journal \(its effects\) of run/);
    expect(left.detail).toMatch(says);
    expect(left.detail).toContain("Resume the run with that version.");
    expect(text(await machine.files.get(key))).toBe(newer);

    // That version reads what it wrote.
    await machine.files.put(key, bytes ?? new Uint8Array());
    expect(await goneOn(machine, left)).toMatchObject({ status: "completed" });
  });
});
