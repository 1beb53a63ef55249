/** The manifest of a delivery: one, whose hashes are those of the stored zip, whatever dies meanwhile. */
import { createHash } from "node:crypto";
import { hostname, userInfo } from "node:os";
import { describe, expect, it } from "vitest";
import { makeRun } from "../../lib/control/make/make-run.ts";
import { deliverManifest } from "../../lib/control/provenance/manifest.ts";
import { readManifest } from "../../lib/control/provenance/read-manifest.ts";
import type { FileStore } from "../../lib/core/ports.ts";
import type { EnvelopeSignature } from "../../lib/core/provenance/envelope.ts";
import type { ManifestSigner } from "../../lib/core/provenance/signer.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { readZip } from "../../lib/files/provenance/read-delivered.ts";
import { readManifestText, verifyDelivery } from "../../lib/files/provenance/verify-delivery.ts";
import { fileStoreKeys } from "../../lib/registry/keys.ts";
import { throughDeaths } from "../doubles/deaths.ts";
import { alwaysGreen, aSubmission, compute } from "../doubles/machines.ts";
import { openedMachines } from "../doubles/opened-machines.ts";
import { sampledCalls } from "../doubles/sampled-calls.ts";
import { placeOf, scriptedModel, writerOf } from "../doubles/scripted-model.ts";

const { machines, opened } = openedMachines();

const files = (instruction: number) => [
  { path: `src/f${instruction}.txt`, content: `one ${instruction}\n` },
  { path: "package.json", content: JSON.stringify({ dependencies: { preact: `1${instruction}.0.0` } }) },
];
const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

async function stored(store: FileStore, run: Run) {
  const keys = fileStoreKeys(run.id);
  const bytes = await store.get(keys.manifest);
  const manifest = readManifestText(text(bytes));
  const zip = await store.get(keys.output(`${run.name}.zip`));
  if (!manifest || !zip) throw new Error("It is not all there.");
  return { manifest, zip, text: text(bytes) };
}

async function verified(store: FileStore, run: Run) {
  const { manifest, zip } = await stored(store, run);
  return verifyDelivery({ manifest, found: readZip(zip), trusted: undefined, readBeside: async () => undefined });
}

const signer: ManifestSigner = {
  sign: async (message): Promise<EnvelopeSignature> => ({
    keyid: "test",
    sig: createHash("sha256").update(message).digest("base64"),
  }),
  publicKey: async () => ({ keyid: "test", pem: "" }),
};

describe("the manifest of a delivery", () => {
  it("holds what was asked, used, paid and checked, and the hash of every file", async () => {
    const machine = opened({ model: scriptedModel(writerOf(2, files)), evaluator: alwaysGreen, signer });
    const run = await compute(machine, await aSubmission({ task: "Write them." }));
    const { manifest } = await stored(machine.files, run);
    expect(manifest.declared.name).toBe("test");
    expect([...manifest.declared.files.keys()]).toEqual(["package.json", "src/f1.txt", "src/f2.txt"]);
    expect(await verified(machine.files, run)).toMatchObject({ isVerified: true, same: 3, zip: "same" });
    const { buildDefinition, runDetails } = manifest.statement.predicate;
    const task = createHash("sha256").update("Write them.").digest("hex");
    expect(buildDefinition.resolvedDependencies).toContainEqual({ name: "task", digest: { sha256: task } });
    const result = runDetails.byproducts.find(({ name }) => name === "result")?.annotations;
    expect(result).toMatchObject({
      models: [{ model: run.profile.model, share: 1 }],
      cost: { usd: run.microUsd / 1e6, calls: run.calls, inputTokens: run.inputTokens },
      verdicts: { tests: { passed: run.testsPassed, total: run.testsTotal }, unchecked: run.unchecked },
      amendments: [],
      skipped: [],
    });
    expect(result).not.toHaveProperty("evidence");
    expect(result).not.toHaveProperty("inheritedFrom");
    expect(runDetails.metadata.invocationId).toBe(run.id);
  });

  it("of a run that took over steps says of which run, and that its cost is its own", async () => {
    const machine = opened({ model: scriptedModel(writerOf(2, files)), evaluator: alwaysGreen, signer });
    const first = await compute(machine, await aSubmission({}));
    const { submission } = await makeRun(machine, first, { name: "again" });
    const run = await compute(machine, submission);
    const { manifest } = await stored(machine.files, run);
    const { byproducts } = manifest.statement.predicate.runDetails;
    expect(byproducts.find(({ name }) => name === "result")?.annotations).toMatchObject({
      inheritedFrom: { run: first.id, instructions: [1, 2] },
      scope: "models, calls, turns, tokens and cost are of this run alone",
      cost: { usd: 0, calls: 0 },
    });
  });

  it("has the same bytes however often and whenever it is written", async () => {
    const machine = opened({ model: scriptedModel(writerOf(2, files)), evaluator: alwaysGreen, signer });
    const run = await compute(machine, await aSubmission({}));
    const before = await stored(machine.files, run);
    const later = { ...machine.world, clock: { ...machine.world.clock, now: () => Date.parse("2040-01-01") } };
    await deliverManifest(
      later,
      { ...run, attempt: run.attempt + 1, updatedAt: "2040-01-01T00:00:00.000Z" },
      before.zip,
    );
    const after = await stored(machine.files, run);
    expect(after.text).toBe(before.text);
  });

  it("of a run that skipped an instruction is about the pack that the run hands out", async () => {
    const script = writerOf(3, files);
    const model = scriptedModel((request) =>
      placeOf(request).instruction === 2 ? { calls: [["list_files", {}]] } : script(request),
    );
    const machine = opened({ model, evaluator: alwaysGreen, signer });
    const run = await compute(machine, await aSubmission({ options: { onTrap: "skip" } }));
    expect(run).toMatchObject({ status: "partial", skipped: 1 });
    const manifest = await readManifest(machine.files, run);
    const read = readManifestText(JSON.stringify(manifest));
    expect([...(read?.declared.files.keys() ?? [])]).toEqual(["package.json", "src/f1.txt", "src/f3.txt"]);
    const gone = await readManifest(machine.files, { ...run, packed: run.packed - 2 });
    expect(gone, "of files that are not those of the manifest any more").toBeUndefined();
  });

  it("names no computer, no user, no server, no path and no secret", async () => {
    const secret = `ghp_${"a1B2c3D4e5".repeat(3)}a1B2c3`;
    const machine = opened({ model: scriptedModel(writerOf(1, files)), evaluator: alwaysGreen });
    const options = { baseUrl: "https://models.internal.example/v1", out: "/home/somebody/out" };
    const task = `Write them with ${secret}.`;
    const profile = { model: "/home/somebody/models/small.gguf" };
    const run = await compute(machine, await aSubmission({ task, options, profile }));
    const { manifest } = await stored(machine.files, run);
    const all = JSON.stringify(manifest.statement);
    expect(all).toContain('"model":"small.gguf"');
    for (const word of ["internal.example", "somebody", secret, machine.home, hostname(), `"${userInfo().username}"`])
      expect(all).not.toContain(word);
  });

  it("of a run without a key is not signed, and of one whose key fails it is said why", async () => {
    const model = () => scriptedModel(writerOf(1, files));
    const machine = opened({ model: model() });
    const run = await compute(machine, await aSubmission({}));
    expect((await stored(machine.files, run)).manifest.envelope.signatures).toEqual([]);
    const failing = { ...signer, sign: () => Promise.reject(new Error("The key is away.")) };
    const other = opened({ model: model(), signer: failing });
    const unsigned = await compute(other, await aSubmission({}));
    expect(unsigned).toMatchObject({ status: "completed" });
    expect(unsigned.detail).toContain("Its manifest is not signed: The key is away.");
    expect((await stored(other.files, unsigned)).manifest.envelope.signatures).toEqual([]);
  });

  it("is there once, and fits the stored zip, at each call of table or file store that kills its delivery", async () => {
    const submission = await aSubmission({});
    const model = () => scriptedModel(writerOf(1, files));
    const mortal = { submission, model, signer, homes: machines };
    const undisturbed = await throughDeaths(mortal, []);
    const expected = await stored(undisturbed.files, undisturbed.run);
    // The delivery makes the last calls of the run.
    const calls = undisturbed.boundaries;
    for (const call of sampledCalls(calls - 20, calls)) {
      for (const when of ["before", "after"] as const) {
        const { run, files: store } = await throughDeaths(mortal, [{ call, when }]);
        expect(run.status, `${when} call ${call}`).toBe("completed");
        const { zip, manifest } = await stored(store, run);
        expect(Buffer.from(zip).equals(expected.zip)).toBe(true);
        expect([...manifest.declared.files]).toEqual([...expected.manifest.declared.files]);
        expect((await verified(store, run)).isVerified).toBe(true);
        expect(run.outputDigest?.sha256).toBe(manifest.declared.zip);
      }
    }
  });
});
