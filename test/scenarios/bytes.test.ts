/** What the model wrote is what is delivered, byte for byte. */
import { afterEach, describe, expect, it } from "vitest";
import { unpackTree } from "../../lib/pack/pack.ts";
import { fileStoreKeys } from "../../lib/registry/keys.ts";
import { spoilableFiles } from "../doubles/hostile-files.ts";
import { aMachine, aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { placeOf, programOf, scriptedModel } from "../doubles/scripted-model.ts";

let machine: TestMachine;
afterEach(() => {
  machine.close();
  machine.removeHome();
});

describe("a delivered file", () => {
  it("has the bytes that were written: unicode, newlines, byte order mark, a megabyte, a long line, template-like text", async () => {
    const model = scriptedModel((request) => {
      const { planning, instruction, answers } = placeOf(request);
      if (planning) return { calls: [["write_program", { instructions: programOf(spoilableFiles.length) }]] };
      if (answers === 0) return { calls: [["write_files", { files: [spoilableFiles[instruction - 1]] }]] };
      return { calls: [["complete_instruction", { summary: "{{task}} $&" }]] };
    });
    machine = aMachine({ model });
    const run = await compute(machine, await aSubmission({ options: { reflect: 0 } }));
    expect(run).toMatchObject({ status: "completed", files: spoilableFiles.length });
    const output = await machine.files.get(fileStoreKeys(run.id).output("test.zip"));
    const delivered = unpackTree(output ?? new Uint8Array());
    for (const { path, content } of spoilableFiles) {
      expect(Buffer.from(delivered.get(path) ?? "missing").equals(Buffer.from(content)), path).toBe(true);
    }
  });
});
