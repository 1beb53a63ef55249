/** The files of a run: as an instruction left them, or, at its end, as it delivers them. */
import { UserError } from "../../core/errors.ts";
import type { FileStore } from "../../core/ports.ts";
import type { Run } from "../../core/run/run.ts";
import { readEntries, unpackTree } from "../../pack/pack.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { readTree } from "./packs.ts";
import { readVerified } from "./verified-read.ts";

export type RunTree = Map<string, Uint8Array>;

/** With the readable forms of a completed run. Empty before the first pack. */
export async function outputTree(files: FileStore, run: Run): Promise<RunTree> {
  const keys = fileStoreKeys(run.id);
  const output = run.status === "completed" ? await files.get(keys.output(`${run.name}.zip`)) : undefined;
  if (output) return readVerified(keys.output(`${run.name}.zip`), () => unpackTree(output));
  return run.packed < 0 ? new Map() : packedTree(files, run, run.packed);
}

export async function packedTree(files: FileStore, run: Run, instruction: number): Promise<RunTree> {
  if (instruction <= run.packed) {
    const tree = await readTree(files, run.id, instruction);
    return readVerified(fileStoreKeys(run.id).pack(instruction), () => readEntries(tree));
  }
  const has = run.packed < 1 ? "it has accepted none yet" : `it has accepted instructions up to ${run.packed}`;
  throw new UserError(`Run ${run.id} has no files of instruction ${instruction}: ${has}.`, {
    exitCode: 2,
    remedy: { command: "status", args: [run.id] },
  });
}
