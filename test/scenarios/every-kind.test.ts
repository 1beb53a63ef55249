/** The example that has every kind of instruction, played by the rehearsal in processes that die: always the same files. */
import { afterAll, describe, expect, it } from "vitest";
import { readProgram } from "../../lib/files/program-file.ts";
import { projectFile } from "../../lib/files/project-files.ts";
import { createRehearsalModel } from "../../lib/model/rehearsal/player.ts";
import { type Mortal, throughDeaths } from "../doubles/deaths.ts";
import { removeFolders } from "../doubles/evaluation.ts";
import { aSubmission, type TestMachine } from "../doubles/machines.ts";
import { realEvaluator } from "../doubles/real-evaluator.ts";
import { createRandom } from "../program/seeded-program.ts";

const LANES = [1, 2, 4];
const PLACES = 10;

const homes: TestMachine[] = [];
afterAll(() => {
  for (const home of homes) home.removeHome();
  removeFolders();
});

describe("the program of every kind", () => {
  it("ends proven, with the same files with 1, 2 and 4 lanes, killed and resumed at ten places", async () => {
    const program = readProgram(projectFile("examples/every-kind.md"));
    const evaluator = realEvaluator({ acrossRuns: true });
    const model = () => createRehearsalModel({ rehearsals: projectFile("rehearsals") });
    const hashes = new Set<string>();
    for (const parallel of LANES) {
      const submission = await aSubmission({
        task: "Write tally, a ledger",
        options: { reflect: 0, evidence: "own", parallel },
        profile: { model: "rehearsal", contextWindow: 128_000, maxOutputTokens: 4_096 },
        submission: { program, requirements: [] },
      });
      const mortal: Mortal = { submission, answer: "MIT", model, evaluator, homes };
      const whole = await throughDeaths(mortal, []);
      expect(whole.run).toMatchObject({ status: "completed", proven: { proven: 3, total: 3 } });
      expect(new Set(whole.instructions.map(({ kind }) => kind))).toEqual(new Set(["ask", "do"]));
      const checked = whole.events.flatMap((event) => (event.type === "checked" ? [event.text] : []));
      expect(checked).toContain("R2 is proven");
      hashes.add(whole.hash);
      const random = createRandom(parallel);
      for (let place = 0; place < PLACES; place += 1) {
        const call = 1 + Math.floor(random() * whole.boundaries);
        const when = random() < 0.5 ? "before" : "after";
        const died = await throughDeaths(mortal, [{ call, when }]);
        const where = `${parallel} lanes, killed ${when} call ${call}`;
        expect(died.run, where).toMatchObject({ status: "completed", proven: { proven: 3, total: 3 } });
        expect(died.run.calls - whole.run.calls, where).toBeLessThanOrEqual(1);
        hashes.add(died.hash);
      }
    }
    expect(hashes.size).toBe(1);
  });
});
