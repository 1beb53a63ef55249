/** Why a request failed, and when it is retried. Pure. */
import { messageOf } from "../../../lib/core/errors.ts";
import { spanWords } from "../../../lib/core/text/format.ts";

export class Refused extends Error {
  readonly status: number;
  readonly fields: { field: string; problem: string }[];
  constructor(status: number, detail: string, fields: Refused["fields"] = []) {
    super(detail);
    this.status = status;
    this.fields = fields;
  }
}

/** The server did not answer. */
export class Lost extends Error {}

/** The answer is larger than requested. */
export class TooLarge extends Error {}

export const isGone = (error: unknown): boolean => error instanceof Refused && error.status === 404;

/** Statuses that may change: expired credentials, timeouts, rate limits. */
const PASSING = new Set([401, 403, 408, 425, 429]);

export function isPassing(error: unknown): boolean {
  if (error instanceof TooLarge) return false;
  return !(error instanceof Refused) || error.status >= 500 || PASSING.has(error.status);
}

/** A period in which requests fail. */
export interface Outage {
  since: number;
  tries: number;
  /** Time of the next try. */
  next: number;
  /** Of the server; absent: it did not answer. */
  message?: string;
}

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

export const backOff = (tries: number): number => Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1));

export function outageAfter(outage: Outage | undefined, { error, now }: { error: unknown; now: number }): Outage {
  const tries = (outage?.tries ?? 0) + 1;
  const message = error instanceof Lost ? {} : { message: messageOf(error) };
  return { since: outage?.since ?? now, tries, next: now + backOff(tries), ...message };
}

export function outageText({ since, next, message }: Outage, now: number): string {
  const what = message === undefined ? "The server has not answered" : "The server has answered with this error";
  return `${what} for ${spanWords(now - since)}; next try in ${spanWords(Math.max(0, next - now))}. Runs are not affected.`;
}
