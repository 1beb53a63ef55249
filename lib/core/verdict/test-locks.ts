/** Versions of test files that stay locked: the oldest accepted one of each, until an amendment lets it go. Pure. */
import * as z from "zod";
import { AcceptedCases } from "./accepted-cases.ts";

/** By path, the hash of a version that is older than the last accepted one. */
const LockedVersions = z.record(z.string(), z.string());
export type LockedVersions = z.infer<typeof LockedVersions>;

/** The item `RUN#id / LOCKS`. */
export const TestLocks = z.object({ locks: LockedVersions, cases: AcceptedCases.optional() });
export type TestLocks = z.infer<typeof TestLocks>;

export interface AcceptedVersions {
  locks: LockedVersions;
  /** Changed by this instruction without an amendment: the hash of what was accepted before. */
  changed: { path: string; sha256: string }[];
  amended: readonly string[];
  /** Tests that the tree does not have any more. */
  gone: readonly string[];
}

/** An item of the registry holds so many. */
const LOCKS = 1_500;

/** After an acceptance. A test that was weakened while the code was right is still held to what it said first. */
export function locksAfter({ locks, changed, amended, gone }: AcceptedVersions): LockedVersions {
  const next = new Map(Object.entries(locks));
  for (const { path, sha256 } of changed) if (!next.has(path)) next.set(path, sha256);
  for (const path of [...amended, ...gone]) next.delete(path);
  return Object.fromEntries([...next].slice(-LOCKS));
}
