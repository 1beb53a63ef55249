/** The two queries of the registry's table: a range of one partition, and pages of an index. */
import type { QueryCommandInput, QueryCommandOutput } from "@aws-sdk/client-dynamodb";
import { PARTITION_KEY_BYTES, SORT_KEY_BYTES } from "../core/limits.ts";
import type { IndexName, IndexPage, IndexRange, Item, ItemRange } from "../core/ports.ts";
import { badCursor, fromCursor, toCursor } from "../core/store/cursor.ts";
import { indexAttributes, indexEntry, indexPosition } from "../core/store/table-indexes.ts";
import { byteLength } from "../core/text/file-text.ts";
import { itemOf, toAttributes } from "./attribute-values.ts";

export type RunQuery = (input: Omit<QueryCommandInput, "TableName">) => Promise<QueryCommandOutput>;

/** Strongly consistent, in order of sk. */
export async function queryRange(querying: RunQuery, pk: string, range: ItemRange): Promise<Item[]> {
  const { prefix, limit, reverse = false } = range;
  const start = startOf(range);
  if (start === "past the end") return [];
  const withPrefix = prefix !== "";
  return collect(querying, limit, {
    ConsistentRead: true,
    KeyConditionExpression: `#pk = :pk${withPrefix ? " AND begins_with(#sk, :prefix)" : ""}`,
    ExpressionAttributeNames: { "#pk": "pk", ...(withPrefix ? { "#sk": "sk" } : {}) },
    ExpressionAttributeValues: toAttributes({ ":pk": pk, ...(withPrefix ? { ":prefix": prefix } : {}) }),
    ScanIndexForward: !reverse,
    ...(start === "the beginning" ? {} : { ExclusiveStartKey: toAttributes({ pk, sk: start.after }) }),
  });
}

/** An index is never strongly consistent: callers read the run itself before they act on it. */
export async function queryIndex(querying: RunQuery, name: IndexName, range: IndexRange): Promise<IndexPage> {
  const { partition, sort } = indexAttributes[name];
  const { upTo, limit, reverse = false } = range;
  const start = range.cursor === undefined ? undefined : cursorStart(range.cursor, range);
  if (start === "past the end") return { items: [] };
  const found = await collect(querying, limit + 1, {
    IndexName: name,
    KeyConditionExpression: `#partition = :partition${upTo === undefined ? "" : " AND #sort <= :upTo"}`,
    ExpressionAttributeNames: { "#partition": partition, ...(upTo === undefined ? {} : { "#sort": sort }) },
    ExpressionAttributeValues: toAttributes({
      ":partition": range.partition,
      ...(upTo === undefined ? {} : { ":upTo": upTo }),
    }),
    ScanIndexForward: !reverse,
    ...(start
      ? { ExclusiveStartKey: toAttributes({ ...start.item, [partition]: range.partition, [sort]: start.sort }) }
      : {}),
  });
  const items = found.slice(0, limit).map((item) => indexEntry(name, item));
  const last = items.at(-1);
  return last && found.length > limit ? { items, cursor: toCursor(indexPosition(name, last)) } : { items };
}

/** DynamoDB ends a page after 1 MB, whatever the limit. */
async function collect(
  querying: RunQuery,
  limit: number | undefined,
  input: Omit<QueryCommandInput, "TableName">,
): Promise<Item[]> {
  const items: Item[] = [];
  let start = input.ExclusiveStartKey;
  do {
    const page = await querying({
      ...input,
      ExclusiveStartKey: start,
      Limit: limit === undefined ? undefined : limit - items.length,
    });
    items.push(...(page.Items ?? []).map(itemOf));
    start = page.LastEvaluatedKey;
  } while (start && (limit === undefined || items.length < limit));
  return items;
}

type Start = "the beginning" | "past the end" | { after: string };

/** DynamoDB refuses a start key outside the query's range. */
function startOf({ prefix, after, reverse = false }: ItemRange): Start {
  if (after === undefined) return "the beginning";
  if (after !== "" && after.startsWith(prefix)) return { after };
  const allFollow = reverse ? inBytes(after, prefix) > 0 : inBytes(after, prefix) <= 0;
  return allFollow ? "the beginning" : "past the end";
}

interface CursorStart {
  sort: string;
  item: { pk: string; sk: string };
}

function cursorStart(cursor: string, { upTo, reverse = false }: IndexRange): CursorStart | "past the end" | undefined {
  const [sort = "", pk = "", sk = ""] = fromCursor(cursor, 3);
  if (!isKey(sort, SORT_KEY_BYTES) || !isKey(pk, PARTITION_KEY_BYTES) || !isKey(sk, SORT_KEY_BYTES)) throw badCursor();
  if (upTo === undefined || inBytes(sort, upTo) <= 0) return { sort, item: { pk, sk } };
  return reverse ? undefined : "past the end";
}

const isKey = (text: string, bytes: number): boolean => text !== "" && text.isWellFormed() && byteLength(text) <= bytes;

/** DynamoDB's sort order. */
const inBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));
