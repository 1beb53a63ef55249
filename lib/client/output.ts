/** The zip of what a run made: fetched by the link that the API gave, and held to the size and hash that it named. */
import { createHash } from "node:crypto";
import type { z } from "zod";
import { MiB } from "../core/limits.ts";
import type { OutputLink } from "./answers.ts";
import { type AskParts, openLink } from "./ask.ts";
import { notUnderstood } from "./refusal.ts";

/** Far above what a run can make: a tree has at most 100 MiB when packed, and its readable forms are made of it. */
const ZIP_BYTES = 256 * MiB;
const UNPACKED_BYTES = 1024 * MiB;

type LinkParts = Pick<AskParts, "address" | "send">;
type Link = z.infer<typeof OutputLink>;

/** The zip itself. */
export async function fetchZip(parts: LinkParts, link: Link): Promise<Uint8Array> {
  const { url } = parts.address;
  const bytesAtMost = Math.min(link.bytes, ZIP_BYTES);
  const { bytes } = await openLink(parts, link.url, { bytesAtMost });
  const sum = createHash("sha256").update(bytes).digest("hex");
  if (bytes.length !== link.bytes || sum !== link.sha256) {
    throw notUnderstood(url, "the zip is not the one that it announced");
  }
  return bytes;
}

export async function fetchOutput(parts: LinkParts, link: Link): Promise<Map<string, Uint8Array>> {
  const { url } = parts.address;
  const bytes = await fetchZip(parts, link);
  const { entriesOf, unpackTree } = await import("../pack/pack.ts");
  try {
    const unpacked = entriesOf(bytes).reduce((whole, file) => whole + file.bytes, 0);
    if (unpacked > UNPACKED_BYTES) throw new Error(`unpacked it would have ${unpacked} bytes`);
    return unpackTree(bytes);
  } catch (error) {
    throw notUnderstood(url, error instanceof Error ? error.message.replace(/\.$/, "") : String(error));
  }
}
