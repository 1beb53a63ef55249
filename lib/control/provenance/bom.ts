/** The bill of materials of a delivered zip, as bytes. */

import { MiB } from "../../core/limits.ts";
import type { Run } from "../../core/run/run.ts";
import { canonicalJson } from "../../core/text/canonical-json.ts";
import { decodeText } from "../../core/text/file-text.ts";
import { pickUpEntries, readEntry } from "../../pack/pack.ts";
import { billOf } from "../../sbom/bill.ts";
import { isManifest, packagesIn } from "../../sbom/manifests.ts";
import { sha256 } from "../files/digest.ts";

/** A lock file of a large project has less. */
const MANIFEST_BYTES = 16 * MiB;

export function bomOf({ name }: Run, zip: Uint8Array, version: string | undefined): Uint8Array {
  const files: { path: string; text: string }[] = [];
  const tooLarge: string[] = [];
  for (const [path, entry] of pickUpEntries(zip)) {
    if (!isManifest(path)) continue;
    const text = entry.size > MANIFEST_BYTES ? undefined : decodeText(readEntry(entry));
    if (text === undefined) tooLarge.push(path);
    else files.push({ path, text });
  }
  const { packages, unreadable } = packagesIn(files);
  const bill = billOf({ name, zip: sha256(zip), version, packages, unreadable: [...unreadable, ...tooLarge].sort() });
  return new TextEncoder().encode(`${canonicalJson(bill)}\n`);
}
