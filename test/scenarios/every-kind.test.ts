/** The example that has every kind of instruction, in processes that die: the same files, with any number of lanes. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import type { Draft } from "../../lib/core/program/program.ts";
import { readProgram } from "../../lib/files/program-file.ts";
import { type Mortal, throughDeaths } from "../doubles/deaths.ts";
import { alwaysGreen, aSubmission, type TestMachine } from "../doubles/machines.ts";
import { placeOf, type Said, scriptedModel, writeFile } from "../doubles/scripted-model.ts";
import { createRandom } from "../program/seeded-program.ts";

const examples = fileURLToPath(new URL("../../examples", import.meta.url));
/** The one condition of the example that this version converts, and does not execute. */
const RESERVED = '{"requirement":"R2","proven":true}';
const LANES = [1, 2, 4];
const PLACES = 10;

/** So that `for_each` has files to go through. */
const writes = () =>
  scriptedModel((request): Said => {
    const { instruction, answers } = placeOf(request);
    if (answers === 0)
      return { calls: [writeFile(`src/step-${instruction}.js`, `export const step = ${instruction};\n`)] };
    return { calls: [["complete_instruction", { summary: "done" }]] };
  });

const homes: TestMachine[] = [];
const folder = mkdtempSync(join(tmpdir(), "l2mac-every-kind-"));
afterAll(() => {
  for (const home of homes) home.removeHome();
  rmSync(folder, { recursive: true, force: true });
});

function everyKind(): Draft {
  cpSync(join(examples, "programs"), join(folder, "programs"), { recursive: true });
  const path = join(folder, "every-kind.md");
  const text = readFileSync(join(examples, "every-kind.md"), "utf8");
  expect(text).toContain(RESERVED);
  writeFileSync(path, text.replace(RESERVED, '{"tests":true}'));
  return readProgram(path);
}

describe("the program of every kind", () => {
  it("ends with the same files with 1, 2 and 4 lanes, killed and resumed at ten places", async () => {
    const program = everyKind();
    const hashes = new Set<string>();
    for (const parallel of LANES) {
      const options = { reflect: 0, parallel };
      const submission = await aSubmission({ options, submission: { program } });
      const mortal: Mortal = { submission, answer: "SQLite", model: writes, evaluator: alwaysGreen, homes };
      const whole = await throughDeaths(mortal, []);
      expect(whole.run).toMatchObject({ status: "completed" });
      expect(new Set(whole.instructions.map(({ kind }) => kind))).toEqual(new Set(["ask", "do"]));
      expect(whole.events.filter(({ type }) => type === "checked").length).toBeGreaterThan(2);
      hashes.add(whole.hash);
      const random = createRandom(parallel);
      for (let place = 0; place < PLACES; place += 1) {
        const call = 1 + Math.floor(random() * whole.boundaries);
        const when = random() < 0.5 ? "before" : "after";
        const died = await throughDeaths(mortal, [{ call, when }]);
        const where = `${parallel} lanes, killed ${when} call ${call}`;
        expect(died.run.status, where).toBe("completed");
        expect(died.run.calls - whole.run.calls, where).toBeLessThanOrEqual(1);
        hashes.add(died.hash);
      }
    }
    expect(hashes.size).toBe(1);
  });
});
