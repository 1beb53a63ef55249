import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";
import { fakeClock } from "../../test/doubles/fake-clock.ts";
import { awsError, type Script, scriptClient } from "../../test/doubles/scripted-client.ts";
import type { Write } from "../core/ports.ts";
import { dynamoClient } from "./clients.ts";
import { createDynamoTable } from "./dynamo-table.ts";

const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({
    message: `Transaction cancelled [${codes.join(", ")}]`,
    $metadata: { httpStatusCode: 400 },
    CancellationReasons: codes.map((Code) => ({ Code, Message: Code === "None" ? undefined : `says ${Code}` })),
  });

const key = { pk: "RUN#1", sk: "META" };
const two: Write[] = [{ update: key, set: { a: 1 } }, { put: { pk: "RUN#1", sk: "EVENT#1" } }];
const lost = awsError("Error", { code: "ECONNRESET", message: "socket hang up" });
const late = awsError("TimeoutError", { code: "ETIMEDOUT" });

function rig(script: Script, random = () => 0.5) {
  const clock = fakeClock();
  const client = dynamoClient({ region: "us-east-1" });
  const sent = scriptClient(client, script);
  let tokens = 0;
  const newToken = () => {
    tokens += 1;
    return `token-${tokens}`;
  };
  return { sent, clock, table: createDynamoTable({ client, tableName: "registry", clock, random, newToken }) };
}

describe("a transaction", () => {
  it.each([
    ["a conflict with another transaction", cancelled("None", "TransactionConflict")],
    ["throttling of an item", cancelled("ThrottlingError", "None")],
    ["throttling of an item's partition", cancelled("ProvisionedThroughputExceeded", "TransactionConflict")],
    ["throttling of the table", awsError("ThrottlingException", { status: 400 })],
    ["an earlier try that is still at work", awsError("TransactionInProgressException", { status: 400 })],
    ["a failure on the other side", awsError("InternalServerError", { status: 500 })],
    ["a connection that broke", lost],
    ["a time-out", late],
  ])("is tried again, with the same token, after %s", async (_, refusal) => {
    const { table, sent, clock } = rig([refusal, refusal, {}]);
    expect(await table.transact(two)).toEqual({ ok: true });
    expect(sent.map(({ command }) => command)).toEqual(Array(3).fill("TransactWriteItemsCommand"));
    expect(new Set(sent.map(({ input }) => input.ClientRequestToken))).toEqual(new Set(["token-1"]));
    expect(clock.slept).toEqual([13, 25]);
  });

  it("another transaction has another token", async () => {
    const { table, sent } = rig([{}]);
    await table.transact(two);
    await table.transact(two);
    expect(sent.map(({ input }) => input.ClientRequestToken)).toEqual(["token-1", "token-2"]);
  });

  it("a single write is one too, so that it is not carried out twice", async () => {
    const { table, sent } = rig([late, {}]);
    expect(await table.transact([{ update: key, add: { n: 1 } }])).toEqual({ ok: true });
    expect(sent.map(({ command, input }) => [command, input.ClientRequestToken])).toEqual(
      Array(2).fill(["TransactWriteItemsCommand", "token-1"]),
    );
  });

  it("waits by chance, and longer each time, up to some seconds; then gives up with what was said last", async () => {
    const { table, sent, clock } = rig([cancelled("TransactionConflict", "None")], () => 1);
    await expect(table.transact(two)).rejects.toThrow(/write 0: says TransactionConflict/);
    expect(sent).toHaveLength(10);
    expect(clock.slept).toEqual([25, 50, 100, 200, 400, 800, 1_600, 3_200, 4_000]);
  });

  it("refused conditions are an answer at once, whatever else stood in the way", async () => {
    const { table, sent } = rig([cancelled("ConditionalCheckFailed", "TransactionConflict")]);
    expect(await table.transact(two)).toEqual({ ok: false, refused: [0] });
    expect(sent).toHaveLength(1);
  });

  it("a conflict first, then refused conditions: the answer is the refusal", async () => {
    const { table } = rig([cancelled("TransactionConflict", "None"), cancelled("None", "ConditionalCheckFailed")]);
    expect(await table.transact(two)).toEqual({ ok: false, refused: [1] });
  });

  it("what will never pass is an error that says which write it was, and is not tried again", async () => {
    const { table, sent } = rig([cancelled("None", "ValidationError")]);
    await expect(table.transact(two)).rejects.toThrow("write 1: says ValidationError");
    expect(sent).toHaveLength(1);
  });

  it("one that DynamoDB would refuse is not even sent", async () => {
    const { table, sent } = rig([{}]);
    await expect(table.transact([{ put: { ...key, text: "x".repeat(500_000) } }])).rejects.toThrow(/409600/);
    await expect(table.transact([{ update: key, set: { dueAt: "" } }])).rejects.toThrow(/indexed/);
    await expect(table.transact([{ update: key, add: { n: Number.NaN } }])).rejects.toThrow(/NaN/);
    expect(sent).toEqual([]);
  });
});

describe("writes in DynamoDB's language", () => {
  const itemsOf = async (...writes: Write[]) => {
    const { table, sent } = rig([{}]);
    await table.transact(writes);
    return sent[0]?.input.TransactItems;
  };

  it("name every attribute by an alias, and an update asks for the item to be there", async () => {
    const update: Write = {
      update: key,
      set: { status: "x" },
      add: { count: 2 },
      remove: ["name"],
      when: [
        { attribute: "status", among: ["a", "b"] },
        { attribute: "epoch", isNot: 3 },
      ],
    };
    expect(await itemsOf(update)).toEqual([
      {
        Update: {
          TableName: "registry",
          Key: { pk: { S: "RUN#1" }, sk: { S: "META" } },
          ConditionExpression:
            "attribute_exists(#n0) AND #n1 IN (:v0, :v1) AND (attribute_not_exists(#n2) OR #n2 <> :v2)",
          UpdateExpression: "SET #n1 = :v3 ADD #n3 :v4 REMOVE #n4",
          ExpressionAttributeNames: { "#n0": "pk", "#n1": "status", "#n2": "epoch", "#n3": "count", "#n4": "name" },
          ExpressionAttributeValues: {
            ":v0": { S: "a" },
            ":v1": { S: "b" },
            ":v2": { N: "3" },
            ":v3": { S: "x" },
            ":v4": { N: "2" },
          },
        },
      },
    ]);
  });

  it("have no empty lists, which DynamoDB refuses, and no empty expressions", async () => {
    const writes = await itemsOf(
      { put: { pk: "a", sk: "b" } },
      { delete: { pk: "a", sk: "c" } },
      { update: { pk: "a", sk: "d" } },
      { check: { pk: "a", sk: "e" }, when: [] },
      { check: { pk: "a", sk: "f" }, when: [{ attribute: "x", among: [] }] },
    );
    const at = (sk: string) => ({ TableName: "registry", Key: { pk: { S: "a" }, sk: { S: sk } } });
    const pk = { ExpressionAttributeNames: { "#n0": "pk" } };
    expect(writes).toEqual([
      { Put: { TableName: "registry", Item: { pk: { S: "a" }, sk: { S: "b" } } } },
      { Delete: at("c") },
      { ConditionCheck: { ...at("d"), ConditionExpression: "attribute_exists(#n0)", ...pk } },
      {
        ConditionCheck: {
          ...at("e"),
          ConditionExpression: "(attribute_exists(#n0) OR attribute_not_exists(#n0))",
          ...pk,
        },
      },
      {
        ConditionCheck: {
          ...at("f"),
          ConditionExpression: "(attribute_exists(#n0) AND attribute_not_exists(#n0))",
          ExpressionAttributeNames: { "#n0": "x" },
        },
      },
    ]);
  });
});

describe("reading", () => {
  const page = (sks: string[], more = true) => ({
    Items: sks.map((sk) => ({ pk: { S: "p" }, sk: { S: sk } })),
    ...(more ? { LastEvaluatedKey: { pk: { S: "p" }, sk: { S: sks.at(-1) } } } : {}),
  });

  it("is strongly consistent, and tried again after throttling", async () => {
    const { table, sent, clock } = rig([awsError("ProvisionedThroughputExceededException"), { Item: undefined }]);
    expect(await table.get({ ...key, more: "of the item" } as typeof key)).toBeUndefined();
    expect(sent[1]?.input).toMatchObject({ ConsistentRead: true, Key: { pk: { S: "RUN#1" }, sk: { S: "META" } } });
    expect(clock.slept).toHaveLength(1);
  });

  it("goes on where DynamoDB ended a page, until the limit", async () => {
    const { table, sent } = rig([page(["1", "2"]), page([], true), page(["3"])]);
    const found = await table.query("p", { prefix: "", limit: 3 });
    expect(found.map(({ sk }) => sk)).toEqual(["1", "2", "3"]);
    expect(sent.map(({ input }) => input.Limit)).toEqual([3, 1, 1]);
    expect(sent.map(({ input }) => input.ConsistentRead)).toEqual([true, true, true]);
  });

  it("goes on until the end where no limit is given", async () => {
    const { table } = rig([page(["1", "2"]), page(["3"]), page([], false)]);
    expect(await table.query("p", { prefix: "" })).toHaveLength(3);
  });

  it("does not ask for what lies beyond the end of the range", async () => {
    const { table, sent } = rig([page([], false)]);
    await table.query("p", { prefix: "b", after: "c" });
    await table.query("p", { prefix: "b", after: "a", reverse: true });
    await table.query("p", { prefix: "", after: "", reverse: true });
    expect(sent).toEqual([]);
    await table.query("p", { prefix: "", after: "" });
    expect(sent[0]?.input.ExclusiveStartKey).toBeUndefined();
  });

  it("a cursor that DynamoDB would refuse is the user's error, and one beyond what is due finds nothing", async () => {
    const { table, sent } = rig([page([], false)]);
    const cursor = (...position: string[]) => Buffer.from(JSON.stringify(position)).toString("base64url");
    const due = (given: string, reverse = false) =>
      table.index("due", { partition: "0", upTo: "5", limit: 1, cursor: given, reverse });
    for (const bad of [cursor("", "p", "s"), cursor("1", "", "s"), cursor("1", "p", "x".repeat(1_025))])
      await expect(due(bad)).rejects.toMatchObject({ name: "L2mac.UserError", exitCode: 2 });
    expect(await due(cursor("6", "p", "s"))).toEqual({ items: [] });
    expect(sent).toEqual([]);
    await due(cursor("6", "p", "s"), true);
    expect(sent[0]?.input.ExclusiveStartKey).toBeUndefined();
  });
});

describe("what the user can put right", () => {
  it.each([
    ["ExpiredTokenException", /have expired.*registry/, /Renew/],
    ["UnrecognizedClientException", /no such credentials/, /AWS_PROFILE/],
    ["CredentialsProviderError", /no such credentials/, /AWS_PROFILE/],
    ["AccessDeniedException", /does not allow/, /Deploy/],
    ["ResourceNotFoundException", /not there/, /region/],
  ])("reports %s with its remedy, and does not retry", async (name, message, remedy) => {
    const { table, sent } = rig([awsError(name, { status: 400 })]);
    const refused = expect(table.transact(two)).rejects;
    await refused.toMatchObject({
      name: /does not allow/.test(message.source) ? "L2mac.Denied" : "L2mac.UserError",
      exitCode: 3,
      message: expect.stringMatching(message),
      remedy: expect.stringMatching(remedy),
    });
    expect(sent).toHaveLength(1);
  });
});
