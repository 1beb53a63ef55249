/** Why there is no answer, and whether there may be one to the same question later. Pure. */
import { spanWords } from "../../core/text/format.ts";
import { messageOf } from "../../core/text/message-of.ts";

export class Refused extends Error {
  readonly status: number;
  readonly fields: { field: string; problem: string }[];
  constructor(status: number, detail: string, fields: Refused["fields"] = []) {
    super(detail);
    this.status = status;
    this.fields = fields;
  }
}

/** Nobody answered. */
export class Lost extends Error {}

/** There is more than was asked for. */
export class TooLarge extends Error {}

export const isGone = (error: unknown): boolean => error instanceof Refused && error.status === 404;

/** Credentials, keys and patience come and go: these are answered otherwise later. */
const PASSING = new Set([401, 403, 408, 425, 429]);

export function isPassing(error: unknown): boolean {
  if (error instanceof TooLarge) return false;
  return !(error instanceof Refused) || error.status >= 500 || PASSING.has(error.status);
}

/** Since when it is asked in vain. */
export interface Away {
  since: number;
  tries: number;
  /** When it is tried again. */
  next: number;
  /** What the answer said; absent: nobody answered. */
  says?: string;
}

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

export const backOff = (tries: number): number => Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1));

export function awayAfter(away: Away | undefined, { error, now }: { error: unknown; now: number }): Away {
  const tries = (away?.tries ?? 0) + 1;
  const says = error instanceof Lost ? {} : { says: messageOf(error) };
  return { since: away?.since ?? now, tries, next: now + backOff(tries), ...says };
}

/** What is told below what the answer said. */
export function awayWords({ since, next, says }: Away, now: number): string {
  const so = says === undefined ? "The server has not answered" : "The server has answered so";
  const again = spanWords(Math.max(0, next - now));
  return `${so} for ${spanWords(now - since)}; next try in ${again}. Nothing of what is computed is lost.`;
}
