import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { objectsIn } from "./loose-json.ts";

const first = (text: string) => [...objectsIn(text)][0];

describe("JSON objects as models write them", () => {
  it("finds the object in a Markdown fence, after prose", () => {
    expect(first('Sure! Here it is:\n```json\n{"a": {"b": [1, 2]}}\n```\nDone.')).toEqual({ a: { b: [1, 2] } });
  });

  it("takes braces and quotes inside strings as text", () => {
    expect(first('x {"a": "} \\" {", "b": 1} y')).toEqual({ a: '} " {', b: 1 });
  });

  it("drops trailing commas, but not those in strings", () => {
    expect(first('```\n{"a": [1, 2, ], "b": ",}", }\n```')).toEqual({ a: [1, 2], b: ",}" });
  });

  it("escapes line breaks and stray backslashes in strings", () => {
    expect(first('{"a": "one\ntwo\tthree", "b": "it\\\'s", "c": "\\d+\\\\"}')).toEqual({
      a: "one\ntwo\tthree",
      b: "it's",
      c: "\\d+\\",
    });
  });

  it("passes over a stray brace before the object", () => {
    expect(first('Open with { and go: {"a": 1}')).toEqual({ a: 1 });
  });

  it("gives all objects of a text, in order", () => {
    expect([...objectsIn('{"a": 1} then {"b": 2}')]).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it("never completes an object that is cut off", () => {
    expect(first('{"files": [{"path": "a.js", "content": "half')).toBeUndefined();
    expect([...objectsIn('{"files": [{"path": "a.js"}, {"path": "b.js", "con')]).not.toContainEqual(
      expect.objectContaining({ files: expect.anything() }),
    );
  });

  it("takes an array or a number for no object", () => {
    expect(first("[1, 2]")).toBeUndefined();
    expect(first("42")).toBeUndefined();
  });

  it("finds any object again behind prose without braces", () => {
    const prose = fc.string().map((text) => text.replace(/[{}"]/g, ""));
    fc.assert(
      fc.property(prose, fc.dictionary(fc.string(), fc.jsonValue()), prose, (before, object, after) => {
        const text = JSON.stringify(object);
        expect(JSON.stringify(first(`${before}${text}${after}`))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it("answers hostile text without looking at every brace", () => {
    expect(first("{".repeat(200_000))).toBeUndefined();
    expect(first('{"'.repeat(100_000))).toBeUndefined();
  });
});
