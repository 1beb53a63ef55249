/** SHA-256, the name of every blob, and the digests of zips. */
import { createHash } from "node:crypto";
import type { Digest } from "../../core/run/run.ts";

export const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");

export const digestOf = (bytes: Uint8Array): Digest => ({ bytes: bytes.length, sha256: sha256(bytes) });
