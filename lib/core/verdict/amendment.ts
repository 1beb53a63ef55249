/** An amendment: an accepted test that an instruction changes on purpose, with the reason why. Pure. */

import * as z from "zod";
import { sanitize } from "../text/sanitize.ts";

export const Amendment = z.object({ path: z.string(), reason: z.string() });
export type Amendment = z.infer<typeof Amendment>;

/** With the instruction that asked for it. */
export type RecordedAmendment = Amendment & { instruction: number };

/** Of a whole program, in its order. */
export const amendmentsIn = (
  instructions: { number: number; amendments?: Amendment[] | undefined }[],
): RecordedAmendment[] =>
  instructions.flatMap(({ number, amendments = [] }) =>
    amendments.map((amendment) => ({ instruction: number, ...amendment })),
  );

/** Reasons are read by people, in one line each. */
export const AMENDMENT_CHARS = 500;
/** They stand in the instruction's item, and an instruction that amends more does not amend: it rewrites. */
export const AMENDMENTS_PER_INSTRUCTION = 100;

/** The last reason for a path counts; in the order of the first. */
export const foldAmendments = (amendments: Amendment[]): Amendment[] => [
  ...new Map(amendments.map((amendment) => [amendment.path, amendment])).values(),
];

/** In one line, without control characters; empty where nothing is left. */
export function reasonOf(given: string): string {
  const line = sanitize(given).replace(/\s+/g, " ").trim();
  return line.length <= AMENDMENT_CHARS ? line : `${line.slice(0, AMENDMENT_CHARS - 1).toWellFormed()}…`;
}
