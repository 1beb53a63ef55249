/** Each rehearsal is made again, and nothing of it changed: no model is asked, and what was proven is proven still. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRun } from "../../lib/control/make/make-run.ts";
import { projectFile } from "../../lib/files/project-files.ts";
import { createRehearsalModel } from "../../lib/model/rehearsal/player.ts";
import { readScenes } from "../../lib/model/rehearsal/read-scenes.ts";
import type { Scene } from "../../lib/model/rehearsal/scene.ts";
import { believingEvaluator } from "../doubles/believing-evaluator.ts";
import { aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";

const { opened } = openedMachines();
const rehearsals = projectFile("rehearsals");
const scenes = readScenes(rehearsals);

function filesBelow(folder: string): Map<string, Uint8Array> {
  const paths = readdirSync(folder, { recursive: true }).map(String);
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return new Map(files.map((path) => [path, readFileSync(join(folder, path))]));
}

/** With the settings of the command. */
async function play(machine: TestMachine, { name, domain, task, requirements, startsFrom }: Scene) {
  const from = startsFrom && filesBelow(join(rehearsals, startsFrom, "files"));
  const submission = await aSubmission({
    task,
    options: { domain, ...(domain === "codebase" ? { evidence: "own" } : {}), ...(from ? { from: true } : {}) },
    profile: { model: "rehearsal", maxOutputTokens: 4_096 },
    submission: { requirements, name, ...(from ? { from } : {}) },
  });
  return compute(machine, submission);
}

describe.each(scenes)("the rehearsal $name", (scene) => {
  it("is taken over whole, as it was planned", async () => {
    const machine = opened({
      model: createRehearsalModel({ rehearsals }),
      evaluator: believingEvaluator,
    });
    const first = await play(machine, scene);
    expect(first).toMatchObject({ unchecked: [], pc: first.instructions + 1 });
    const { submission, plan } = await makeRun(machine, first, { name: "again" });
    expect(plan.steps.map(({ decision }) => decision)).toEqual(plan.steps.map(() => "copy"));
    const run = await compute(machine, submission);
    expect(run).toMatchObject({ status: first.status, calls: 0, turns: 0, instructions: first.instructions });
    expect(run.proven).toEqual(first.proven);
    const files = async (id: string) =>
      (await machine.registry.allFiles(id)).map(({ path, sha256 }) => `${path} ${sha256}`);
    expect(await files(run.id)).toEqual(await files(first.id));
    const { difference, treeHash, expected } = await machine.replay(run.id);
    expect([difference, treeHash]).toEqual([undefined, expected]);
  });
});
