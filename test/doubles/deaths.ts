/** A run through processes that are killed one after the other, at a chosen call of table or file store; the last one lives. */

import { readPack } from "../../lib/control/files/packs.ts";
import { treeHash } from "../../lib/control/files/tree-hash.ts";
import type { Submission } from "../../lib/control/lifecycle/submit.ts";
import type { Evaluator, Model } from "../../lib/core/ports.ts";
import { waitsForAnswer } from "../../lib/core/program/question.ts";
import type { ManifestSigner } from "../../lib/core/provenance/signer.ts";
import { isEnded, type Run } from "../../lib/core/run/run.ts";
import type { Storage } from "../../lib/local/machine.ts";
import { unpackTree } from "../../lib/pack/pack.ts";
import { alwaysGreen, aMachine, type TestMachine } from "./machines.ts";
import { type Death, lastingStorage, type MortalStorage, mortalStorage } from "./mortal-storage.ts";

export interface Mortal {
  submission: Omit<Submission, "owner">;
  model: (run: Run) => Model;
  evaluator?: Evaluator;
  /** What a person answers to every question. */
  answer?: string;
  signer?: ManifestSigner;
  /** The caller removes it. */
  homes: TestMachine[];
}

const undying: Death = { call: Number.POSITIVE_INFINITY, when: "before" };

interface Living {
  machine: TestMachine;
  storage: MortalStorage;
  killed: AbortController;
}

function begin({ model, evaluator = alwaysGreen, signer, homes }: Mortal, lasting: Storage, death: Death): Living {
  const killed = new AbortController();
  const storage = mortalStorage(lasting, death, () => killed.abort(new Error("process killed")));
  const home = homes[0]?.home;
  const machine = aMachine({
    modelFor: model,
    evaluator,
    storage,
    ...(home ? { home } : {}),
    ...(signer ? { signer } : {}),
  });
  if (!home) homes.push(machine);
  return { machine, storage, killed };
}

/** As the command does it: what died is noted first, then the run goes on. */
async function goOn({ machine, killed }: Living, runId: string): Promise<void> {
  await machine.sweep();
  const run = await machine.registry.run(runId);
  if (!run || isEnded(run.status) || waitsForAnswer(run)) return;
  await machine.resume(runId, {});
  await machine.compute(runId, killed.signal);
}

async function answerQuestions({ machine, killed }: Living, runId: string, text = ""): Promise<void> {
  for (;;) {
    const run = await machine.registry.run(runId);
    if (!run?.question || !waitsForAnswer(run)) return;
    await machine.answer(runId, { step: run.question.step, text });
    await machine.compute(runId, killed.signal);
  }
}

/** How the run stands after all deaths, and how many calls of its ports the last process made. */
export async function throughDeaths(mortal: Mortal, deaths: Death[]) {
  const lasting = lastingStorage();
  const submitting = begin(mortal, lasting, undying).machine;
  const { id: runId } = await submitting.submit(mortal.submission);
  submitting.close();
  for (const [index, death] of [...deaths, undying].entries()) {
    const living = begin(mortal, lasting, death);
    const work = index === 0 ? living.machine.compute(runId, living.killed.signal) : goOn(living, runId);
    await work
      .then(() => answerQuestions(living, runId, mortal.answer))
      .catch((error: unknown) => {
        if (!living.storage.isDead()) throw error;
      });
    living.machine.close();
    if (death === undying)
      return { ...(await look(living.machine, runId)), boundaries: living.storage.calls(), files: lasting.files };
  }
  throw new Error("The last process lives.");
}

export async function look({ registry, files }: TestMachine, runId: string) {
  const run = await registry.run(runId);
  if (!run || run.packed < 0) throw new Error("There is no run.");
  const pack = await readPack(files, runId, run.packed);
  const entries = await registry.allFiles(runId);
  const tree = Object.fromEntries(
    [...unpackTree(pack)].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]),
  );
  const instructions = await registry.instructions(runId);
  const events = await registry.events(runId, { after: 0, limit: 10_000 });
  const evidence = await registry.evidence(runId);
  return { run, tree, events, instructions, evidence, hash: treeHash(entries), paths: entries.map(({ path }) => path) };
}
