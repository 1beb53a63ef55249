import fc from "fast-check";
import { expect, test } from "vitest";
import { UserError } from "../errors.ts";
import { fromCursor, toCursor } from "./cursor.ts";

test("a cursor gives back its position and needs no escaping in a URL", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" }), { maxLength: 5 }), (position) => {
      const cursor = toCursor(position);
      expect(fromCursor(cursor, position.length)).toEqual(position);
      expect(cursor).toMatch(/^[\w-]*$/);
    }),
  );
});

test.each([
  ["empty", ""],
  ["not base64", "%%%"],
  ["not UTF-8", btoa("\xff\xfe")],
  ["not JSON", btoa("{")],
  ["not a list", btoa('{"a":1}')],
  ["a list of something else", btoa("[1,2]")],
  ["of another length", toCursor(["a"])],
])("a cursor that is %s is the user's error", (_, cursor) => {
  expect(() => fromCursor(cursor, 2)).toThrow(UserError);
  expect(() => fromCursor(cursor, 2)).toThrow(
    expect.objectContaining({ exitCode: 2, remedy: "Start again without a cursor." }),
  );
});
