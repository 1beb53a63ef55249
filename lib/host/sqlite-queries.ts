/** The two reading queries of the SQLite table, as text and parameters. Their texts are few: statements are kept by text. */
import type { SQLInputValue } from "node:sqlite";
import type { IndexName, IndexRange, ItemRange } from "../core/ports.ts";
import { indexAttributes } from "../core/store/table-indexes.ts";

export interface Query {
  sql: string;
  parameters: SQLInputValue[];
}

/** Items of one partition whose sk begins with the prefix. */
export function rangeQuery(pk: string, { prefix, after, limit, reverse = false }: ItemRange): Query {
  assertLimit(limit);
  const { beyond, order } = direction(reverse);
  const end = endOf(prefix);
  const bounds: [string, SQLInputValue | undefined][] = [
    ["pk = ?", pk],
    // Where the page before this one ended lies within the prefix: then it is the nearer bound on its side.
    ["sk >= ?", !reverse && after?.startsWith(prefix) ? undefined : prefix],
    ["sk < ?", reverse && after?.startsWith(prefix) ? undefined : end],
    [`sk ${beyond} ?`, after],
  ];
  const given = bounds.flatMap(([term, value]) => (value === undefined ? [] : [{ term, value }]));
  return {
    sql: `SELECT body FROM items WHERE ${given.map(({ term }) => term).join(" AND ")} ORDER BY sk ${order} LIMIT ?`,
    parameters: [...given.map(({ value }) => value), limit ?? NO_LIMIT],
  };
}

/** Items of one index partition that come after the position; one more than asked for, to know whether others follow. */
export function pageQuery(name: IndexName, range: IndexRange, after: string[] | undefined): Query {
  assertLimit(range.limit);
  const { partition, sort } = indexAttributes[name];
  const { beyond, order } = direction(range.reverse ?? false);
  const terms = [`${partition} = ?`, `${sort} IS NOT NULL`];
  if (range.upTo !== undefined) terms.push(`${sort} <= ?`);
  if (after) terms.push(`(${sort}, pk, sk) ${beyond} (?, ?, ?)`);
  return {
    sql: `SELECT body FROM items WHERE ${terms.join(" AND ")}
      ORDER BY ${sort} ${order}, pk ${order}, sk ${order} LIMIT ?`,
    parameters: [range.partition, ...(range.upTo === undefined ? [] : [range.upTo]), ...(after ?? []), range.limit + 1],
  };
}

const NO_LIMIT = -1;

const direction = (reverse: boolean): { beyond: string; order: string } =>
  reverse ? { beyond: "<", order: "DESC" } : { beyond: ">", order: "ASC" };

function assertLimit(limit: number | undefined): void {
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0)) throw new Error(`A limit of ${limit} is none.`);
}

/** The first text, byte by byte, that is greater than all that begin with the prefix; none for an empty prefix. */
function endOf(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === LAST_CODE_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  return String.fromCodePoint(...points, last + 1 === FIRST_SURROGATE ? AFTER_SURROGATES : last + 1);
}

const LAST_CODE_POINT = 0x10ffff;
const FIRST_SURROGATE = 0xd800;
const AFTER_SURROGATES = 0xe000;
