/** What held of a run after an instruction, from what its acceptance recorded. */

import type { Run } from "../../core/run/run.ts";
import { type AcceptanceFacts, factsOf } from "../../core/turn/acceptance-facts.ts";
import type { StoredBaseline } from "../../core/verdict/known-red.ts";
import { readTree } from "../files/packs.ts";
import { baselineVerdict, factsOfStart } from "../gate/baseline.ts";
import { testsAmong } from "../gate/test-lock.ts";
import type { RunStores } from "../program/stored-program.ts";
import { readTask } from "../program/stored-task.ts";
import { readEntry } from "../turn/journal.ts";
import type { FoundForkPoint } from "./find-fork-point.ts";
import { factsUnknown } from "./refusals.ts";

export async function factsAt(
  place: RunStores,
  run: Run,
  { at, done }: FoundForkPoint,
): Promise<{ facts: AcceptanceFacts; baseline: StoredBaseline | undefined }> {
  const baseline = await place.registry.baseline(run.id);
  for (let number = done; number > 0; number -= 1) {
    const turns = await place.registry.turns(run.id, number);
    const last = turns.findLast(({ outcome }) => outcome === "accepted");
    if (!last) continue;
    const { effects } = await readEntry(place.files, last);
    if (effects?.accepted) return { facts: effects.accepted, baseline };
    // An earlier version computed it: what holds now is what held then, if nothing was accepted since.
    if (done < run.pc - 1) throw factsUnknown(run, at);
    return { facts: await factsNow(place, run, baseline), baseline };
  }
  return { facts: await startFacts(place, run, baseline), baseline };
}

async function factsNow(
  { registry }: RunStores,
  run: Run,
  baseline: StoredBaseline | undefined,
): Promise<AcceptanceFacts> {
  const testLocks = await registry.testLocks(run.id);
  return { run: factsOf(run), testLocks, ...(baseline ? { known: baseline.known } : {}) };
}

/** Nothing was accepted before. */
async function startFacts(
  { files }: RunStores,
  run: Run,
  baseline: StoredBaseline | undefined,
): Promise<AcceptanceFacts> {
  const [{ pack, tests: given = [] }, tree] = await Promise.all([readTask(files, run.id), readTree(files, run.id, 0)]);
  const lockedTests = testsAmong(tree.keys());
  const none = { testsSeen: false, testsPassed: 0, testsTotal: 0, lockedTests, unchecked: [] };
  if (!baseline) return { run: none };
  const isTested = pack.declaration.checks.tests && run.options.runTests;
  const {
    run: found,
    known,
    testLocks,
  } = factsOfStart(await baselineVerdict({ files }, baseline), { isTested, given });
  return { run: { ...none, ...found }, known, ...(testLocks ? { testLocks } : {}) };
}
