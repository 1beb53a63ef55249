/** A new run that begins as another stood before one of its instructions. */
import { describe, expect, it } from "vitest";
import { submissionBefore } from "../../lib/control/lifecycle/go-back.ts";
import { look } from "../doubles/deaths.ts";
import { aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { lastingStorage, mortalStorage } from "../doubles/mortal-storage.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { scriptedModel, writerOf } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();
const never = new AbortController().signal;
const writer = (text: string) => scriptedModel(writerOf(3, (n) => [{ path: `${text}${n}.txt`, content: text }]));

const whole = async (machine: TestMachine) => compute(machine, await aSubmission({ options: { reflect: 0 } }));

describe("going back to an instruction", () => {
  it("begins with the files and the rest of the program, and leaves the run as it was", async () => {
    const machine = opened({ model: writer("f") });
    const run = await whole(machine);
    const before = await look(machine, run.id);
    const model = writer("g");
    const later = opened({ model, home: machine.home });
    const begun = await compute(later, await submissionBefore(later, run, { to: 2, name: "again" }));
    expect(begun).toMatchObject({ status: "completed", name: "again", instructions: 2 });
    const { paths, instructions } = await look(later, begun.id);
    expect(paths.toSorted()).toEqual(["f1.txt", "g1.txt", "g2.txt"]);
    expect(instructions.map(({ title }) => title)).toEqual(["Part 2", "Part 3"]);
    const opening = model.requests[0]?.messages[1]?.content ?? "";
    expect(opening).toContain("Done before this program: 1. Part 1.");
    expect(opening).toContain("Instruction 1 reported: wrote the files of 1");
    expect(await look(machine, run.id)).toEqual(before);
    const { difference, treeHash, expected } = await later.replay(begun.id);
    expect([difference, treeHash]).toEqual([undefined, expected]);
  });

  it("to the first one begins the whole program again, with no files", async () => {
    const machine = opened({ model: writer("f") });
    const run = await whole(machine);
    const begun = await compute(machine, await submissionBefore(machine, run, { to: 1, name: "again" }));
    expect(begun).toMatchObject({ status: "completed", instructions: 3, files: 3 });
  });

  it("is refused beyond what is accepted, and without a program", async () => {
    const machine = opened({ model: writer("f") });
    const part = await compute(machine, await aSubmission({ options: { reflect: 0, budget: { turns: 3 } } }));
    expect(part).toMatchObject({ status: "partial", packed: 1 });
    await expect(submissionBefore(machine, part, { to: 3, name: "x" })).rejects.toMatchObject({
      ...{ exitCode: 2, field: "to", message: `Run ${part.id} can go back to instruction 1 to 2, not to 3.` },
    });
    const none = await machine.submit(await aSubmission({}));
    await expect(submissionBefore(machine, none, { to: 1, name: "x" })).rejects.toThrow("has no program yet");
  });

  it("by a process that is killed leaves the run as it was, and a new one that can go on, or none", async () => {
    for (let call = 1, died = true; died; call += 1) {
      const lasting = lastingStorage();
      const first = opened({ storage: lasting, model: writer("f") });
      const run = await whole(first);
      const mortal = mortalStorage(lasting, { call, when: call % 2 === 0 ? "after" : "before" });
      const dying = opened({ storage: mortal, model: writer("g") });
      const goBack = async () => compute(dying, await submissionBefore(dying, run, { to: 2, name: "again" }));
      await goBack().catch((error: unknown) => {
        if (!mortal.isDead()) throw error;
      });
      died = mortal.isDead();
      const next = opened({ storage: lasting, model: writer("g") });
      await next.sweep();
      expect(await next.registry.run(run.id)).toEqual(run);
      const { runs } = await next.registry.runs({ owner: "local", limit: 10 });
      const begun = runs.find(({ id }) => id !== run.id);
      if (begun?.status !== "waiting") continue;
      await next.resume(begun.id, {});
      expect(await next.compute(begun.id, never)).toMatchObject({ status: "completed", instructions: 2, files: 3 });
    }
  });
});
