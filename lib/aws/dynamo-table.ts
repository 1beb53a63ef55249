/** The registry's table in DynamoDB. */
import { randomUUID } from "node:crypto";
import {
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
} from "@aws-sdk/client-dynamodb";
import type { Item, ItemKey, Table, Write, Written } from "../core/ports.ts";
import { assertItems, assertTransaction } from "../core/store/transaction-rules.ts";
import { itemOf, toKey } from "./attribute-values.ts";
import { describeCancelled, refusedIn, transactionPasses } from "./dynamo-cancelled.ts";
import { queryIndex, queryRange } from "./dynamo-query.ts";
import { explained, passes } from "./failures.ts";
import { createRetry, type RetryParts, type RetryPolicy } from "./retry.ts";
import { toTransactItem } from "./write-expressions.ts";

export interface DynamoTableParts extends RetryParts {
  client: DynamoDBClient;
  tableName: string;
  /** One token per transaction, for all its attempts. */
  newToken?: () => string;
}

/** Conflicts last milliseconds, throttling seconds: ten attempts wait at most 15 s together, half of that on average. */
export const RETRY_POLICY: RetryPolicy = { tries: 10, firstMs: 25, mostMs: 4_000 };

export function createDynamoTable(parts: DynamoTableParts): Table {
  const { client, tableName: TableName, newToken = randomUUID } = parts;
  const retry = createRetry(parts, RETRY_POLICY);
  const asked = <T>(work: () => Promise<T>, passing = passes): Promise<T> =>
    explained(`the registry's table ${TableName}`, () => retry(work, passing));

  async function get(key: ItemKey): Promise<Item | undefined> {
    const input = { TableName, Key: toKey(key), ConsistentRead: true };
    const found = await asked(() => client.send(new GetItemCommand(input)));
    return found.Item && itemOf(found.Item);
  }

  const querying: Parameters<typeof queryRange>[0] = (input) =>
    asked(() => client.send(new QueryCommand({ TableName, ...input })));

  /**
   * Single writes are transactions too, at twice their price: only a transaction has a token. Without one, a write
   * that was carried out but never answered would be refused by its own condition, or added twice, when it is retried.
   */
  async function transact(writes: Write[]): Promise<Written> {
    assertTransaction(writes);
    assertItems(writes.flatMap(leftBehind));
    const input: TransactWriteItemsCommandInput = {
      TransactItems: writes.map((write) => toTransactItem(TableName, write)),
      ClientRequestToken: newToken(),
    };
    try {
      await asked(() => client.send(new TransactWriteItemsCommand(input)), transactionPasses);
      return { ok: true };
    } catch (error) {
      const refused = refusedIn(error);
      if (refused.length > 0) return { ok: false, refused };
      throw describeCancelled(error);
    }
  }

  return {
    get,
    query: (pk, range) => queryRange(querying, pk, range),
    index: (name, range) => queryIndex(querying, name, range),
    transact,
  };
}

/** Checks items before they are written; DynamoDB itself checks the size of updated ones. */
function leftBehind(write: Write): Item[] {
  if ("put" in write) return [write.put];
  return "update" in write ? [{ ...write.set, pk: write.update.pk, sk: write.update.sk }] : [];
}
