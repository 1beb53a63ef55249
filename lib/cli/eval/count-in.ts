/** Reads numbers of flags. */
import type { Arguments } from "../command.ts";
import { usage } from "../settings/parse.ts";

/** A whole number of at least 1. Absent: `otherwise`. */
export function countIn({ flags }: Arguments, flag: string, otherwise: number): number {
  const text = flags.get(flag);
  if (text === undefined) return otherwise;
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw usage({ name: "eval" }, `${flag} takes a whole number of at least 1; "${text}" is none.`);
}
