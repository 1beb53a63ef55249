/** Writes the manifest of a delivery: what was delivered, from which task, by which models, and what was checked. */

import { UserError } from "../../core/errors.ts";
import { type Envelope, envelopeOf, PAYLOAD_TYPE, payloadOf, signedBytes } from "../../core/provenance/envelope.ts";
import { statementOf } from "../../core/provenance/statement.ts";
import type { Run } from "../../core/run/run.ts";
import { canonicalJson } from "../../core/text/canonical-json.ts";
import { maskEveryText } from "../../core/text/secrets.ts";
import { pickUpEntries, readEntry } from "../../pack/pack.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { standingEvidence } from "../evidence/step-evidence.ts";
import { sha256 } from "../files/digest.ts";
import { storedProgram, versionOf } from "../program/stored-program.ts";
import { readTask } from "../program/stored-task.ts";
import type { World } from "../world.ts";
import { finishedOn, parametersOf, programResult, resultOf } from "./parameters.ts";

/** Returns what readers should know, in sentences. The same run and zip give the same statement, byte for byte. */
export async function deliverManifest(world: World, run: Run, zip: Uint8Array): Promise<string[]> {
  const payload = await statementBytes(world, run, zip);
  const { envelope, notes } = await signed(world, payload);
  await world.files.put(fileStoreKeys(run.id).manifest, encoder.encode(`${canonicalJson(envelope)}\n`));
  return notes;
}

const encoder = new TextEncoder();

async function statementBytes({ registry, files, version }: World, run: Run, zip: Uint8Array): Promise<Uint8Array> {
  const { task, pack } = await readTask(files, run.id);
  const program = await storedProgram({ registry, files }, run);
  const hashed = [...pickUpEntries(zip)].map(([path, entry]) => ({ path, sha256: sha256(readEntry(entry)) }));
  const result = maskEveryText(resultOf(run, program, run.proven ? await standingEvidence({ registry }, run.id) : []));
  const { parameters, dependencies } = parametersOf(run);
  const statement = statementOf({
    name: run.name,
    zip: sha256(zip),
    files: hashed,
    runId: run.id,
    version,
    startedOn: run.createdAt,
    finishedOn: finishedOn(run, program),
    parameters,
    dependencies: [
      { name: "task", digest: { sha256: sha256(task) } },
      { name: "prompts", digest: { sha256: sha256(canonicalJson(pack)) } },
      ...dependencies,
    ],
    byproducts: [
      { name: "program", digest: { sha256: versionOf(program) }, annotations: maskEveryText(programResult(program)) },
      { name: "result", digest: { sha256: sha256(canonicalJson(result)) }, annotations: result },
    ],
  });
  return payloadOf(statement);
}

/** What cannot be signed is delivered all the same, and says so with the remedy. */
async function signed({ signer }: World, payload: Uint8Array): Promise<{ envelope: Envelope; notes: string[] }> {
  if (!signer) return { envelope: envelopeOf(payload, []), notes: [] };
  try {
    const signature = await signer.sign(signedBytes(PAYLOAD_TYPE, payload));
    return { envelope: envelopeOf(payload, [signature]), notes: [] };
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
    const remedy = error instanceof UserError && typeof error.remedy === "string" ? ` ${error.remedy}` : "";
    const note = `Its manifest is not signed: ${why}. Its files and their hashes are complete.${remedy}`;
    return { envelope: envelopeOf(payload, []), notes: [note] };
  }
}
