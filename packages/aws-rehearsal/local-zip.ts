/** The zip of a rehearsal computed locally, without the emulated cloud. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLocalMachine } from "../../lib/local/open.ts";
import { fileStoreKeys } from "../../lib/registry/keys.ts";
import { aSubmission, compute } from "../../test/doubles/machines.ts";

export async function localZip(task: string): Promise<Uint8Array> {
  const home = mkdtempSync(join(tmpdir(), "l2mac-local-"));
  const machine = openLocalMachine({ home, env: process.env });
  try {
    const run = await compute(machine, await aSubmission({ task, profile: { model: "rehearsal" } }));
    const zip = await machine.files.get(fileStoreKeys(run.id).output(`${run.name}.zip`));
    if (!zip) throw new Error(`The local run is ${run.status}: ${run.detail}`);
    return zip;
  } finally {
    machine.close();
    rmSync(home, { recursive: true, force: true });
  }
}
