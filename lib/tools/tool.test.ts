import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { createMemoryBench } from "../../test/servers/memory-bench.ts";
import { isGiven } from "./lenient.ts";
import { optional } from "./shape.ts";
import { defineTool } from "./tool.ts";
import { allTools } from "./toolbox.ts";

/** Answers with the arguments as they reached it. */
const echo = defineTool({
  name: "echo",
  category: "read",
  description: "",
  schema: z.strictObject({
    names: z.array(z.string()).min(1),
    count: optional(z.int().min(1).max(9)),
    parts: optional(z.array(z.strictObject({ at: z.int(), text: optional(z.string()) }))),
  }),
  run: async (given) => ({ ok: true, text: JSON.stringify(given), note: {} }),
});
const call = (raw: string) => echo.call("c1", raw, createMemoryBench());
const received = async (raw: string) => JSON.parse((await call(raw)).text) as unknown;

describe("a tool's arguments", () => {
  test("reach it as its schema says, and its answer carries the call", async () => {
    expect(await call('{"names":["a"],"count":2}')).toEqual({
      callId: "c1",
      tool: "echo",
      ok: true,
      text: '{"names":["a"],"count":2}',
      note: "",
      facts: {},
      about: { kind: "other" },
    });
  });

  test.each([
    ["null for absent", '{"names":["a"],"count":null,"parts":null}', { names: ["a"] }],
    [
      "null for absent inside a list",
      '{"names":["a"],"parts":[{"at":1,"text":null}]}',
      { names: ["a"], parts: [{ at: 1 }] },
    ],
    ["one item for a list", '{"names":"a"}', { names: ["a"] }],
    ["one object for a list", '{"names":["a"],"parts":{"at":1}}', { names: ["a"], parts: [{ at: 1 }] }],
    ["a list as JSON in a string", '{"names":"[\\"a\\",\\"b\\"]"}', { names: ["a", "b"] }],
    ["objects as JSON in strings", '{"names":["a"],"parts":["{\\"at\\":1}"]}', { names: ["a"], parts: [{ at: 1 }] }],
    ["a number in quotes", '{"names":["a"],"count":"3"}', { names: ["a"], count: 3 }],
    ["the first parameter alone", '["a"]', { names: ["a"] }],
    ["all of it in a string", '"{\\"names\\":[\\"a\\"]}"', { names: ["a"] }],
    ["bare newlines and tabs in strings", '{"names":["a\n\tb"]}', { names: ["a\n\tb"] }],
    ["white space around", ' \n{"names":["a"]}\n ', { names: ["a"] }],
  ])("may have %s", async (_, raw, expected) => expect(await received(raw)).toEqual(expected));

  test("that had to be mended come back as JSON as they were taken; others do not", async () => {
    expect((await call('{"names":"a\n"}')).mended).toBe('{"names":["a\\n"]}');
    expect((await call('["a"]')).mended).toBe('{"names":["a"]}');
    expect((await call(' {"names": ["a"], "count": null}')).mended).toBeUndefined();
    expect((await call('{"names":["a"')).mended).toBeUndefined();
  });

  test.each([
    ["{}", "names is missing"],
    ["", "names is missing"],
    ["null", "names is missing"],
    ['{"names":[]}', "names must not be empty"],
    ['{"names":[3]}', "names[0] must be a string, not a number"],
    ['{"names":null}', "names must be a list, not null"],
    ['{"names":["a"],"count":0}', "count must be at least 1"],
    ['{"names":["a"],"count":99}', "count must be at most 9"],
    ['{"names":["a"],"count":"many"}', "count must be"],
    ['{"names":["a"],"colour":"red"}', 'has no parameter "colour"'],
    ['{"names":["a"],"parts":[{"at":1,"to":2}]}', 'parts[0] has no parameter "to"'],
    ['{"names":["a"],"__proto__":{"count":1}}', 'has no parameter "__proto__"'],
    ['{"names":["a"', "end in the middle"],
    ['{"names":["a', "end in the middle"],
    ["{names: a}", "not valid JSON"],
    ["read it please", "not valid JSON"],
  ])("%j are answered with what is wrong and what is accepted", async (raw, wrong) => {
    const { ok, text, note } = await call(raw);
    expect(ok).toBe(false);
    expect(text).toContain(wrong);
    expect(text).toContain(
      'Accepted: {"names": [string], "count"?: integer, "parts"?: [{"at": integer, "text"?: string}]}',
    );
    expect(note).toBe("bad arguments");
  });

  test("name only the first few of many problems", async () => {
    const { text } = await call(JSON.stringify({ names: Array.from({ length: 100 }, () => 1) }));
    expect(text).toContain("names[4]");
    expect(text).not.toContain("names[5]");
    expect(text).toContain("95 more");
  });
});

test("no tool throws, whatever the arguments, and each answers its call", async () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: "small" },
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.array(tie("any")),
      tie("object"),
    ),
    object: fc.dictionary(
      fc.constantFrom(
        "files",
        "paths",
        "path",
        "content",
        "edits",
        "find",
        "replace",
        "argv",
        "pattern",
        "glob",
        "instructions",
        "title",
        "text",
        "requirements",
        "id",
        "summary",
        "prefix",
        "cursor",
        "__proto__",
      ),
      tie("any"),
    ),
  })).object;
  const raw = fc.oneof(
    fc.string({ unit: "binary" }),
    value.map((given) => JSON.stringify(given)),
    value.map((given) => JSON.stringify(given).slice(0, -1)),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...allTools), raw, async (tool, given) => {
      const bench = createMemoryBench({ files: { "a.js": "one\ntwo\n" }, answerChars: 700 });
      const result = await tool.call("id", given, bench);
      expect(result).toMatchObject({ callId: "id", tool: tool.spec.name });
      expect(result.text).not.toBe("");
      expect(result.text.length).toBeLessThanOrEqual(700);
    }),
    { numRuns: 400 },
  );
});

describe("a tool's parameters as JSON schema", () => {
  const objectsIn = (value: unknown): Record<string, unknown>[] => {
    if (Array.isArray(value)) return value.flatMap(objectsIn);
    if (!isGiven(value)) return [];
    const inner = Object.values(value).flatMap(objectsIn);
    return value.type === "object" ? [value, ...inner] : inner;
  };

  test.each(allTools.map(({ spec }) => spec))("$name: inline, closed, and free of noise", ({ parameters }) => {
    const text = JSON.stringify(parameters);
    for (const noise of ["$schema", "$ref", "$defs", "anyOf", "9007199254740991", "maxItems"])
      expect(text).not.toContain(noise);
    for (const object of objectsIn(parameters)) expect(object.additionalProperties).toBe(false);
  });

  test("say that what is optional may be absent or null", () => {
    expect(echo.spec.parameters).toEqual({
      type: "object",
      properties: {
        names: { type: "array", minItems: 1, items: { type: "string" } },
        count: { type: ["integer", "null"], minimum: 1, maximum: 9 },
        parts: {
          type: ["array", "null"],
          items: {
            type: "object",
            properties: { at: { type: "integer", minimum: -9007199254740991 }, text: { type: ["string", "null"] } },
            required: ["at"],
            additionalProperties: false,
          },
        },
      },
      required: ["names"],
      additionalProperties: false,
    });
  });
});
