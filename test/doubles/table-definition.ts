/** What the registry's table is made of: for tests that create one, and as the measure of the one that is deployed. */
import type { CreateTableCommandInput, KeySchemaElement } from "@aws-sdk/client-dynamodb";
import { indexAttributes, indexedAttributes } from "../../lib/core/store/table-indexes.ts";

export const tableDefinition = (TableName: string) =>
  ({
    TableName,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: keys("pk", "sk"),
    AttributeDefinitions: ["pk", "sk", ...indexedAttributes].map((AttributeName) => ({
      AttributeName,
      AttributeType: "S",
    })),
    GlobalSecondaryIndexes: Object.entries(indexAttributes).map(([IndexName, { partition, sort }]) => ({
      IndexName,
      KeySchema: keys(partition, sort),
      Projection: { ProjectionType: "KEYS_ONLY" },
    })),
  }) satisfies CreateTableCommandInput;

const keys = (partition: string, sort: string): KeySchemaElement[] => [
  { AttributeName: partition, KeyType: "HASH" },
  { AttributeName: sort, KeyType: "RANGE" },
];
