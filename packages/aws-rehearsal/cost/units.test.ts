/** DynamoDB's capacity units: as the emulator reports them, or estimated. */
import { describe, expect, it } from "vitest";
import { askingForUnits, sizeOf, unitsOf } from "./units.ts";

const json = (value: unknown) => ({ body: Buffer.from(JSON.stringify(value)) });
const units = (operation: string, input: unknown, said: unknown) => unitsOf(operation, json(input), json(said));
const item = (bytes: number) => ({ pk: { S: "x".repeat(bytes - 2) } });

describe("where the emulator says it", () => {
  it("is taken as said, of every table and index", () => {
    const ConsumedCapacity = [
      { CapacityUnits: 6, WriteCapacityUnits: 6 },
      { CapacityUnits: 2, WriteCapacityUnits: 2 },
    ];
    expect(units("TransactWriteItems", {}, { ConsumedCapacity })).toEqual({ read: 0, write: 8 });
    expect(units("Query", {}, { ConsumedCapacity: { CapacityUnits: 1.5 } })).toEqual({ read: 1.5, write: 0 });
  });

  it("is asked to, unless the request asks already", () => {
    const request = { method: "POST", target: "/", headers: { "content-length": "2" }, body: Buffer.from("{}") };
    const asking = askingForUnits(request);
    expect(JSON.parse(asking.body.toString())).toEqual({ ReturnConsumedCapacity: "INDEXES" });
    expect(asking.headers["content-length"]).toBe(String(asking.body.length));
    const own = { ...request, body: Buffer.from('{"ReturnConsumedCapacity":"TOTAL"}') };
    expect(askingForUnits(own)).toBe(own);
  });
});

describe("where it does not", () => {
  it("a read is a unit for each begun 4 KB, half of it where it may be late", () => {
    expect(units("GetItem", { ConsistentRead: true }, { Item: item(4_096) }).read).toBe(1);
    expect(units("GetItem", { ConsistentRead: true }, { Item: item(4_097) }).read).toBe(2);
    expect(units("GetItem", {}, {}).read).toBe(0.5);
    expect(units("Query", { ConsistentRead: true }, { Items: [item(3_000), item(3_000)] }).read).toBe(2);
  });

  it("a write is a unit for each begun KB", () => {
    expect(units("PutItem", { Item: item(1_024) }, {}).write).toBe(1);
    expect(units("PutItem", { Item: item(1_025) }, {}).write).toBe(2);
    expect(units("DeleteItem", { Key: item(20) }, {}).write).toBe(1);
  });

  it("an item of a transaction costs twice, also where the transaction is cancelled", () => {
    const TransactItems = [{ Put: { Item: item(1_500) } }, { ConditionCheck: { Key: item(20) } }];
    expect(units("TransactWriteItems", { TransactItems }, { __type: "TransactionCanceledException" }).write).toBe(6);
    expect(units("TransactGetItems", { TransactItems }, {}).read).toBe(4);
  });

  it("an item has the bytes of its names and values", () => {
    expect(sizeOf({ ab: { S: "ü" } })).toBe(4);
    expect(sizeOf({ a: { M: { b: { BOOL: true } } }, c: { L: [{ NULL: true }] } })).toBe(1 + 3 + 2 + 1 + 1 + 3 + 2);
    expect(sizeOf({ n: { N: "1234" } })).toBe(1 + 3);
    expect(sizeOf(undefined)).toBe(0);
  });
});
