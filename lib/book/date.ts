/** When a book was made: not now, so that the same run gives the same book, but when its run began. */
import { isUlid } from "../core/run/ulid.ts";

/** As EPUB wants it: in seconds, in UTC. */
export function bookDate(runId: string): string {
  const time = isUlid(runId) ? timeOf(runId) : LONG_AGO;
  return `${new Date(time <= LAST ? time : LONG_AGO).toISOString().slice(0, 19)}Z`;
}

const LONG_AGO = Date.UTC(2000, 0, 1);
/** From the year 10000 on a date is written differently. */
const LAST = Date.UTC(9999, 0, 1);

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A ULID begins with its time: ten digits of base 32. */
const timeOf = (ulid: string): number =>
  [...ulid.slice(0, 10)].reduce((time, digit) => time * 32 + DIGITS.indexOf(digit), 0);
