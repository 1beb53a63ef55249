/** What a make refuses before anything is stored, what it removes, and whose requirements it follows. */
import { describe, expect, it } from "vitest";
import { storeInheritance } from "../../lib/control/make/inheritance.ts";
import { makeRun } from "../../lib/control/make/make-run.ts";
import { refuseTooMany } from "../../lib/control/make/refusals.ts";
import type { ModelRequest } from "../../lib/core/ports.ts";
import type { Step } from "../../lib/core/step/step.ts";
import { createMemoryFiles } from "../../lib/host/memory-files.ts";
import { fileStoreKeys } from "../../lib/registry/keys.ts";
import { alwaysGreen, aSubmission, compute } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { type Said, scriptedModel } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();

const worker = () =>
  scriptedModel((request: ModelRequest): Said => {
    const path = /^write (\S+)/m.exec(request.messages[1]?.content ?? "")?.[1] ?? "";
    if (request.messages.some(({ role }) => role === "assistant"))
      return { calls: [["complete_instruction", { summary: `${path} is there` }]] };
    return { calls: [["write_files", { files: [{ path, content: `${path}\n` }] }]] };
  });

describe("a make", () => {
  it("is refused while the run is computed, and not when it stopped", async () => {
    const machine = opened({ model: worker(), evaluator: alwaysGreen });
    const program = { instructions: [{ title: "A", text: "write a.txt", requirements: [] }], requirements: [] };
    const run = await compute(
      machine,
      await aSubmission({ options: { reflect: 0 }, submission: { program, requirements: [] } }),
    );
    for (const status of ["queued", "planning", "running", "delivering"] as const)
      await expect(makeRun(machine, { ...run, status }, { name: "x" })).rejects.toMatchObject({
        ...{ exitCode: 2, message: `Run ${run.id} is ${status}: it is being computed. Nothing was made of it.` },
      });
    for (const status of ["waiting", "failed", "cancelled"] as const)
      expect((await makeRun(machine, { ...run, status }, { name: "x" })).plan.steps).toHaveLength(1);
  });

  it("is refused where more versions of files would be copied than one request can", () => {
    expect(() => refuseTooMany(5_000)).not.toThrow();
    expect(() => refuseTooMany(5_001)).toThrow(/wrote 5001 versions of files; at most 5000 can be copied/);
  });

  it("leaves nothing behind where storing fails", async () => {
    const files = createMemoryFiles();
    const record = { key: {}, touched: [], readings: [], writes: [{ path: "a", sha256: "1", was: "2" }] };
    const step = { instruction: 1, record, summary: "", turns: 1, microUsd: 1 } as unknown as Step;
    const blob = async (sha: string) => {
      if (sha === "2") throw new Error("The disk is full.");
      return new Uint8Array();
    };
    await files.put(`${fileStoreKeys("one").root}task.json`, new Uint8Array());
    const inheriting = { from: "other", strict: false, steps: new Map([["own", [step]]]), blob };
    await expect(storeInheritance(files, "one", inheriting)).rejects.toThrow("The disk is full.");
    expect(await files.get(`${fileStoreKeys("one").root}task.json`)).toBeUndefined();
    expect(await files.get(fileStoreKeys("one").blob("1"))).toBeUndefined();
  });
});

describe("a make with a changed task", () => {
  it("takes over the steps of requirements whose numbers changed", async () => {
    const requirements = ["a file a", "a file b"].map((text, index) => ({ id: `R${index + 1}`, text }));
    const instructions = ["a", "b"].map((name, index) => ({
      ...{ title: `Write ${name}`, text: `write ${name}.txt`, requirements: [`R${index + 1}`] },
    }));
    const task = (...texts: string[]) =>
      `Make files.\n\n${texts.map((text, index) => `- R${index + 1}: ${text}\n`).join("")}`;
    const machine = opened({ model: worker(), evaluator: alwaysGreen });
    const program = { instructions, requirements };
    const first = await compute(
      machine,
      await aSubmission({
        ...{ options: { reflect: 0 }, task: task("a file a", "a file b") },
        submission: { program, requirements },
      }),
    );
    const { plan, submission } = await makeRun(machine, first, { name: "x", task: task("a file b", "a file a") });
    expect(plan.steps.map(({ decision, why }) => `${decision} ${why}`.trim())).toEqual(["copy", "copy"]);
    expect(submission.program?.instructions.map((each) => each.requirements)).toEqual([["R2"], ["R1"]]);
  });
});
