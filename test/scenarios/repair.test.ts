/** A repair of a registry that knows nothing of what a run did since its computation began. */
import { copyFileSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { treeHash } from "../../lib/control/files/tree-hash.ts";
import { repairHome } from "../../lib/local/repair.ts";
import { alwaysGreen, aSubmission } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { scriptedModel, writerOf } from "../doubles/scripted-model.ts";

const { opened } = openedMachines();
const signal = new AbortController().signal;
const script = writerOf(3, (instruction) => [{ path: `f${instruction}.txt`, content: `text ${instruction}\n` }]);

it("has the records of each run beside its files, and none of another", async () => {
  const machine = opened({ model: scriptedModel(script), evaluator: alwaysGreen });
  const ids: string[] = [];
  for (const name of ["first", "second"]) {
    const { id } = await machine.submit({ ...(await aSubmission({})), name });
    await machine.compute(id, signal);
    ids.push(id);
  }
  const records = ids.map((id) => readFileSync(join(machine.home, "runs", id, "records.json"), "utf8"));
  expect(records.map((text) => ids.filter((id) => text.includes(id)))).toEqual(ids.map((id) => [id]));
});

it("lets the run take all answers that it was given since, and pays none of them again", async () => {
  const submission = await aSubmission({});
  const model = scriptedModel((request, call) => {
    if (call === 1) copyFileSync(`${folder}/records.json`, `${folder}/earlier.json`);
    return script(request);
  });
  const machine = opened({ model, evaluator: alwaysGreen });
  const { id } = await machine.submit(submission);
  const folder = join(machine.home, "runs", id);
  const run = await machine.compute(id, signal);
  const hash = treeHash(await machine.registry.allFiles(id));
  machine.close();
  copyFileSync(`${folder}/earlier.json`, `${folder}/records.json`);
  const registry = readdirSync(machine.home).filter((name) => name.startsWith("registry.sqlite"));
  for (const name of registry) rmSync(join(machine.home, name));

  expect(await repairHome(machine.home, Date.now())).toMatchObject({ runs: [{ id, state: "earlier" }] });
  const asked = scriptedModel(script);
  const again = opened({ model: asked, evaluator: alwaysGreen, home: machine.home });
  await again.sweep();
  await again.resume(id, {});
  expect(await again.compute(id, signal)).toMatchObject({
    status: "completed",
    microUsd: run.microUsd,
    calls: run.calls,
  });
  expect(asked.requests).toHaveLength(0);
  expect(treeHash(await again.registry.allFiles(id))).toBe(hash);
});
