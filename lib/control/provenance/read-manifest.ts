/** The manifest of a run's present output. */
import type * as z from "zod";
import type { FileStore } from "../../core/ports.ts";
import { Envelope, payloadIn } from "../../core/provenance/envelope.ts";
import { declaredIn, Statement } from "../../core/provenance/statement.ts";
import type { Run } from "../../core/run/run.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { sha256 } from "../files/digest.ts";
import { readPack } from "../files/packs.ts";
import { damaged } from "../files/verified-read.ts";

/** Undefined: the run has not delivered, has gone on since, or an earlier version of this program delivered it. */
export async function readManifest(files: FileStore, run: Run): Promise<Envelope | undefined> {
  if (run.status !== "completed" && run.status !== "partial") return undefined;
  const key = fileStoreKeys(run.id).manifest;
  const bytes = await files.get(key);
  if (bytes === undefined) return undefined;
  const envelope = parsed(key, () => bytes, Envelope);
  const declared = declaredIn(parsed(key, () => payloadIn(envelope), Statement));
  return declared?.zip === (await zipHash(files, run)) ? envelope : undefined;
}

/** A completed run has noted it; a partial one hands out its latest pack. */
async function zipHash(files: FileStore, run: Run): Promise<string> {
  if (run.status === "completed" && run.outputDigest) return run.outputDigest.sha256;
  return sha256(await readPack(files, run.id, run.packed));
}

const decoder = new TextDecoder();

function parsed<S extends z.ZodType>(key: string, bytes: () => Uint8Array, schema: S): z.infer<S> {
  try {
    return schema.parse(JSON.parse(decoder.decode(bytes())));
  } catch {
    throw damaged(key, "it is not what was stored");
  }
}
