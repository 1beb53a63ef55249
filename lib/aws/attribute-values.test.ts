import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../core/text/json.ts";
import { type AttributeMap, itemOf, toAttribute, toAttributes, toKey } from "./attribute-values.ts";

const backAndForth = (value: Json): Json | undefined => itemOf({ value: toAttribute(value) }).value;

describe("a value of the registry", () => {
  it("comes back from DynamoDB's form as it was, whatever its keys are called", () => {
    const names = fc.oneof(fc.string(), fc.constantFrom("constructor", "__proto__", "toString", "S", "NULL"));
    const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constant(null),
        fc.boolean(),
        fc.string({ unit: "grapheme" }),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
        fc.array(tie("tree"), { maxLength: 4 }),
        fc.dictionary(names, tie("tree"), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        expect(JSON.stringify(backAndForth(value))).toBe(JSON.stringify(value));
      }),
    );
  });

  it("that is undefined is none; what is no number is refused", () => {
    expect(toAttributes({ a: 1, b: undefined } as unknown as Record<string, Json>)).toEqual({ a: { N: "1" } });
    expect(() => toAttribute(Number.NaN)).toThrow("not a number that an item can hold");
    expect(() => toAttribute(Number.POSITIVE_INFINITY)).toThrow("not a number that an item can hold");
  });

  it("of a kind that is never written is an error, not a guess", () => {
    expect(() => itemOf({ pk: { SS: ["a"] } } as AttributeMap)).toThrow(/never writes: SS/);
  });

  it("as a key is pk and sk, whatever else came along", () => {
    const key = { pk: "a", sk: "b", more: 1 };
    expect(toKey(key)).toEqual({ pk: { S: "a" }, sk: { S: "b" } });
  });
});
