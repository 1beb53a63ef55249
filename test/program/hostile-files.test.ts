/** Program files as others could make them: refused quickly, with a place and plain words. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UserError } from "../../lib/core/errors.ts";
import { readProgram } from "../../lib/files/program-file.ts";
import { processorMs } from "../doubles/enough-time.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "l2mac-hostile-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const MOST_MS = 5_000;

function refusalOf(name: string, content: string): string {
  const path = join(root, name);
  writeFileSync(path, content);
  let refusal: unknown;
  const took = processorMs(() => {
    try {
      readProgram(path);
    } catch (error) {
      refusal = error;
    }
  });
  if (refusal === undefined) throw new Error("It was read.");
  expect(refusal).toBeInstanceOf(UserError);
  expect((refusal as UserError).exitCode).toBe(2);
  expect(took).toBeLessThan(MOST_MS);
  return (refusal as Error).message.slice(path.length + 1);
}

const deep = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);
const nested = (depth: number): string =>
  Array.from({ length: depth }, (_, at) => `${"   ".repeat(at)}1. {.group}`).join("\n");
const aliases = [
  "a: &a [x, x]",
  ...[..."bcdefghi"].map((name, at) => `${name}: &${name} [*${"abcdefghi"[at]}, *${"abcdefghi"[at]}]`),
];
const MiB = 1024 * 1024;

describe("a hostile program file", () => {
  it.each<[what: string, name: string, content: string, message: RegExp]>([
    ["of 10 MB", "large.md", `- ${"x".repeat(10 * MiB)}`, /cannot be read: it has \d+ bytes; at most 6291456 are read/],
    [
      "with 10,001 instructions",
      "many.md",
      "- x\n".repeat(10_001),
      /^ line 1, column 1: The program has 10001 instructions/,
    ],
    [
      "with 10,001 in JSON",
      "many.json",
      JSON.stringify(Array(10_001).fill("x")),
      /^ line 1, column 1: The program has 10001/,
    ],
    [
      "with 10,001 in blocks",
      "blocks.yaml",
      "- {kind: group, body: [a, b]}\n".repeat(4_000),
      /^ line 3334, column \d+: The program has more/,
    ],
    [
      "with blocks in blocks",
      "deep.md",
      `${nested(20)}\n${"   ".repeat(20)}1. x`,
      /^ line 17, column \d+: it is inside 16 blocks/,
    ],
    [
      "nested deeply in JSON",
      "deep.json",
      deep("[", "]", 100_000),
      /^( line 1, column \d+:)? ?.*(nested too deeply|no JSON|call stack)/,
    ],
    ["nested deeply in YAML", "deep.yaml", deep("[", "]", 100_000), /^ line \d+, column \d+: /],
    [
      "nested deeply in marks",
      "marks.md",
      `- {.call program=a with=${deep("[", "]", 100_000)}}`,
      /^ line 1, column \d+: /,
    ],
    ["whose aliases unfold", "bomb.yaml", aliases.join("\n"), /^ line 1, column 1: Excessive alias count/],
    ["that holds itself", "self.yaml", "- &a\n  kind: group\n  body: [*a]\n", /^ line \d+, column \d+: /],
    [
      "with a million items",
      "items.json",
      `[{"kind":"for_each","items":[${"1,".repeat(999_999)}1],"as":"x","atMost":1,"body":["a"]}]`,
      /^ line 1, column 21: the list has 1000000 entries; at most 10000 fit/,
    ],
    [
      "with items that are no list",
      "text.yaml",
      "- kind: for_each\n  items: all\n  as: x\n  atMost: 1\n  body: [a]\n",
      /^ line 2, column 3: the items are a list/,
    ],
    [
      "with a name of prototypes",
      "proto.json",
      '[{"text": "a",\n "__proto__": {"kind": "do"}}]',
      /^ line 2, column 2: `__proto__` is no field/,
    ],
    [
      "with a parameter of prototypes",
      "with.json",
      '[{"kind":"call","program":"a","with":{"__proto__":1}}]',
      /: `__proto__` is no field/,
    ],
    ["with a field twice", "twice.yaml", "- text: a\n  text: b\n", /^ line 2, column 3: `text` is there twice/],
    [
      "with 5,000 unknown fields",
      "fields.yaml",
      Array.from({ length: 5_000 }, (_, at) => `f${at}: 1`).join("\n"),
      /^ line \d+, column 1: .*\(and \d+ more\)/,
    ],
    [
      "with one long line of YAML",
      "line.yaml",
      `a: ${"[".repeat(300_000)}`,
      /^ line 1, column 1: the line is longer than 200000/,
    ],
    ["with marks that end in nothing", "braces.md", `- **a** ${"{a=".repeat(100_000)}`, /./],
    ["with two documents", "two.yaml", "- a\n---\n- b\n", /^ line \d+, column \d+: it holds more than one document/],
    ["that is empty", "empty.yaml", "", /^ line 1, column 1: /],
  ])("%s is refused with its place", (_, name, content, message) => {
    if (name === "braces.md") {
      // Text, and quickly.
      const path = join(root, name);
      writeFileSync(path, content.slice(0, 90_000));
      const took = processorMs(() => expect(readProgram(path).instructions).toHaveLength(1));
      expect(took).toBeLessThan(MOST_MS);
    } else expect(refusalOf(name, content)).toMatch(message);
  });

  it.each(["toString", "constructor", "hasOwnProperty", "valueOf"])("may use %s as an id and a parameter", (id) => {
    const path = join(root, "names.json");
    writeFileSync(
      path,
      JSON.stringify([
        { id, text: "a" },
        { id: "b", text: "b", needs: [id] },
      ]),
    );
    expect(readProgram(path).instructions).toHaveLength(2);
  });

  it("names the first of several problems, and how many there are", () => {
    expect(refusalOf("more.yaml", "- kind: repeat\n  body: [a]\n- kind: goto\n")).toEqual(
      expect.stringMatching(/^ line 1, column 3: `repeat` needs `until`; a condition is .*\. \(and 2 more\)$/),
    );
  });

  it("is refused for a kind that an earlier version reserved, before anything is sent", () => {
    expect(refusalOf("race.yaml", "- kind: race\n  verify: {tests: true}\n  bodies: [[a], [b]]")).toBe(
      " line 1, column 3: there is no kind `race`. Leave it out: begin several runs, and take the one that is proven.",
    );
    expect(refusalOf("model.md", "1. **First** {model=small}")).toBe(
      " line 1, column 15: it has no field `model`. Set the model of the run.",
    );
  });
});
