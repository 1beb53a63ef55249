import { expect, test } from "vitest";
import { ITEM_BYTES } from "../limits.ts";
import type { Attributes, Item, Write } from "../ports.ts";
import { assertItems, assertTransaction, itemBytes } from "./transaction-rules.ts";

const key = { pk: "RUN#1", sk: "META" };
const put = (sk: string): Write => ({ put: { pk: "p", sk } });
const keyBytes = itemBytes(key);

test("a transaction takes 1 to 100 writes", () => {
  const writes = Array.from({ length: 100 }, (_, index) => put(String(index)));
  expect(() => assertTransaction(writes)).not.toThrow();
  expect(() => assertTransaction([...writes, put("one more")])).toThrow("this one has 101");
  expect(() => assertTransaction([])).toThrow("this one has 0");
});

test("a transaction names no item twice, whatever it does to it", () => {
  expect(() => assertTransaction([{ put: { ...key } }, { check: key, when: [] }])).toThrow("item RUN#1 / META twice");
  expect(() => assertTransaction([put("1"), { put: { pk: "p1", sk: "1" } }])).not.toThrow();
});

test.each([
  ["empty", ""],
  ["ill-formed", "\udfff"],
  ["too long", "ä".repeat(513)],
])("a sort key that is %s is refused", (_, sk) => {
  expect(() => assertTransaction([put(sk)])).toThrow();
});

test("keys may be as long as DynamoDB takes them", () => {
  expect(() => assertTransaction([{ delete: { pk: "x".repeat(2048), sk: "ä".repeat(512) } }])).not.toThrow();
  expect(() => assertTransaction([{ delete: { pk: "x".repeat(2049), sk: "a" } }])).toThrow("it takes 2048");
});

test.each<[string, Write]>([
  ["the key", { update: key, set: { sk: "other" } }],
  ["the key by removal", { update: key, remove: ["pk"] }],
  ["an attribute twice", { update: key, set: { a: 1 }, add: { a: 1 } }],
  ["and removes the same attribute", { update: key, set: { a: 1 }, remove: ["a"] }],
  ["an attribute to nothing", { update: key, set: { a: undefined } as unknown as Attributes }],
])("an update that changes %s is refused", (_, write) => {
  expect(() => assertTransaction([write])).toThrow(/^An update .*item RUN#1 \/ META/);
});

test("an item's size is counted as DynamoDB counts: UTF-8 names and values, overhead for nesting", () => {
  expect(keyBytes).toBe(2 + 5 + 2 + 4);
  expect(itemBytes({ ...key, größe: "日本" }) - keyBytes).toBe(7 + 6);
  expect(itemBytes({ ...key, a: true, b: null }) - keyBytes).toBe(2 + 2);
  expect(itemBytes({ ...key, a: [] }) - keyBytes).toBe(1 + 3);
  expect(itemBytes({ ...key, a: ["x", { b: "y" }] }) - keyBytes).toBe(1 + 3 + (1 + 1) + (1 + 3 + (1 + 1 + 1)));
  expect(itemBytes({ ...key, a: 1 }) - keyBytes).toBeLessThan(1 + 21);
});

test("an item takes 400 KiB", () => {
  const text = "x".repeat(ITEM_BYTES - keyBytes - 1);
  expect(() => assertItems([{ ...key, a: text }])).not.toThrow();
  expect(() => assertItems([{ ...key, a: `${text}x` }])).toThrow("item RUN#1 / META has 409601 bytes");
});

test("the items of a transaction take 4 MiB together", () => {
  const items = (count: number): Item[] => Array.from({ length: count }, () => ({ ...key, a: "x".repeat(399 * 1024) }));
  expect(() => assertItems(items(10))).not.toThrow();
  expect(() => assertItems(items(11))).toThrow("bytes together");
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, [undefined], () => 1, 1n])(
  "a value that JSON has not is refused: %s",
  (value) => {
    expect(() => assertItems([{ ...key, a: value } as unknown as Item])).toThrow("that an item can hold");
  },
);

test("a member whose value is undefined is none", () => {
  expect(itemBytes({ ...key, a: undefined } as unknown as Item)).toBe(keyBytes);
});

test.each([null, "", 5, "\ud800"])("an indexed attribute is a text with content or not there: %j", (dueAt) => {
  expect(() => assertItems([{ ...key, dueAt }])).toThrow("dueAt of item RUN#1 / META is indexed");
});
