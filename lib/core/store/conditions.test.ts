import { describe, expect, test } from "vitest";
import type { Condition, Item, Write } from "../ports.ts";
import { accepts, applyWrite, holds, keyOf } from "./conditions.ts";

const key = { pk: "RUN#1", sk: "META" };
const item: Item = {
  ...key,
  epoch: 3,
  zero: 0,
  flag: false,
  nothing: null,
  text: "a",
  list: [1, [2], { x: null }],
  map: { a: 1, b: { c: [] } },
};

describe("holds", () => {
  test.each<[Condition, boolean]>([
    [{ attribute: "epoch", is: 3 }, true],
    [{ attribute: "epoch", is: 4 }, false],
    [{ attribute: "epoch", is: "3" }, false],
    [{ attribute: "flag", is: false }, true],
    [{ attribute: "flag", is: 0 }, false],
    [{ attribute: "nothing", is: null }, true],
    [{ attribute: "gone", is: null }, false],
    [{ attribute: "constructor", is: null }, false],
    [{ attribute: "list", is: [1, [2], { x: null }] }, true],
    [{ attribute: "list", is: [[2], 1, { x: null }] }, false],
    [{ attribute: "list", is: [1, [2]] }, false],
    [{ attribute: "list", is: { 0: 1, 1: [2], 2: { x: null } } }, false],
    [{ attribute: "map", is: { b: { c: [] }, a: 1 } }, true],
    [{ attribute: "map", is: { a: 1 } }, false],
    [{ attribute: "map", is: { a: 1, b: { d: [] } } }, false],
    [{ attribute: "map", is: { a: null, b: { c: [] } } }, false],
    [{ attribute: "epoch", isNot: 4 }, true],
    [{ attribute: "epoch", isNot: 3 }, false],
    [{ attribute: "gone", isNot: 3 }, true],
    [{ attribute: "text", among: ["b", "a"] }, true],
    [{ attribute: "text", among: ["b"] }, false],
    [{ attribute: "text", among: [] }, false],
    [{ attribute: "gone", among: [null] }, false],
    [{ attribute: "epoch", atMost: 3 }, true],
    [{ attribute: "epoch", atMost: 2.5 }, false],
    [{ attribute: "text", atMost: 3 }, false],
    [{ attribute: "nothing", atMost: 3 }, false],
    [{ attribute: "gone", atMost: 3 }, false],
    [{ attribute: "gone", missing: true }, true],
    [{ attribute: "toString", missing: true }, true],
    [{ attribute: "nothing", missing: true }, false],
    [{ attribute: "zero", missing: true }, false],
    [{ item: "present" }, true],
    [{ item: "absent" }, false],
  ])("of an item: %j is %s", (condition, expected) => {
    expect(holds(condition, item)).toBe(expected);
  });

  test.each<[Condition, boolean]>([
    [{ attribute: "epoch", is: null }, false],
    [{ attribute: "epoch", isNot: 3 }, true],
    [{ attribute: "epoch", among: [3] }, false],
    [{ attribute: "epoch", atMost: 3 }, false],
    [{ attribute: "epoch", missing: true }, true],
    [{ item: "present" }, false],
    [{ item: "absent" }, true],
  ])("where there is no item: %j is %s", (condition, expected) => {
    expect(holds(condition, undefined)).toBe(expected);
  });
});

describe("a write", () => {
  test("is accepted when all its conditions hold", () => {
    const when: Condition[] = [{ attribute: "epoch", is: 3 }, { item: "present" }];
    expect(accepts({ check: key, when }, item)).toBe(true);
    expect(accepts({ check: key, when: [...when, { attribute: "text", is: "b" }] }, item)).toBe(false);
  });

  test("that updates needs the item; one that puts or deletes does not", () => {
    expect(accepts({ update: key }, undefined)).toBe(false);
    expect(accepts({ put: { ...key } }, undefined)).toBe(true);
    expect(accepts({ delete: key }, undefined)).toBe(true);
  });

  test("names the item that it is about", () => {
    const writes: Write[] = [{ put: { ...key, a: 1 } }, { update: key }, { delete: key }, { check: key, when: [] }];
    for (const write of writes) expect(keyOf(write)).toMatchObject(key);
  });

  test("puts the whole item in place of what was there", () => {
    expect(applyWrite({ put: { ...key, a: 1 } }, item)).toEqual({ ...key, a: 1 });
  });

  test("updates, adds and removes; a number that is missing starts at 0", () => {
    const before: Item = { ...key, a: 1, b: 2, c: 3 };
    const write: Write = { update: key, set: { a: "x", d: [1] }, add: { b: -5, e: 7 }, remove: ["c", "f"] };
    expect(applyWrite(write, before)).toEqual({ ...key, a: "x", b: -3, d: [1], e: 7 });
    expect(before).toEqual({ ...key, a: 1, b: 2, c: 3 });
  });

  test("cannot add to what is no number, nor update what is not there", () => {
    expect(() => applyWrite({ update: key, add: { text: 1 } }, item)).toThrow("text of RUN#1 / META is not a number");
    expect(() => applyWrite({ update: key, add: { nothing: 1 } }, item)).toThrow("is not a number");
    expect(() => applyWrite({ update: key }, undefined)).toThrow("There is no item");
  });

  test("deletes, and leaves alone what it only checks", () => {
    expect(applyWrite({ delete: key }, item)).toBeUndefined();
    expect(applyWrite({ check: key, when: [] }, item)).toBe(item);
    expect(applyWrite({ check: key, when: [] }, undefined)).toBeUndefined();
  });
});
