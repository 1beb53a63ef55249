import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { elided, looksElided } from "../turn/stale.ts";
import { countFitting, cutLine, fenced, headAndTail, oneLine } from "./cut.ts";
import { sanitize } from "./sanitize.ts";

describe("headAndTail", () => {
  test("leaves a text alone that fits", () => expect(headAndTail("abc", 3)).toBe("abc"));

  test("keeps beginning and end and says how much is missing", () => {
    const text = `begin${"x".repeat(1000)}end`;
    const cut = headAndTail(text, 100);
    expect(cut).toMatch(/^begin/);
    expect(cut).toMatch(/end$/);
    const said = Number(/\[… (\d+) characters left out …\]/.exec(cut)?.[1]);
    expect(said).toBe(text.length - cut.replace(/\n\[….*…\]\n/, "").length);
  });

  test("never is longer than asked and never cuts a character in two", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.nat(200), (text, chars) => {
        const cut = headAndTail(text, chars);
        expect(cut.length).toBeLessThanOrEqual(Math.max(chars, 0));
        expect(cut.isWellFormed()).toBe(true);
      }),
    );
    expect(headAndTail("𝒳".repeat(100), 61).isWellFormed()).toBe(true);
  });
});

test("cutLine says how much of a line is missing", () => {
  expect(cutLine("abcdef", 6)).toBe("abcdef");
  expect(cutLine("abcdefgh", 3)).toBe("abc [… 5 more characters in this line]");
});

test("plain removes colours, titles and control characters, and keeps lines and tabs", () => {
  expect(sanitize("\x1b[31mred\x1b[0m \x1b]0;title\x07a\tb\r\nc\rd\0\x08")).toBe("red a\tb\nc\nd");
  expect(sanitize("\ud800")).toBe("\ufffd");
});

test("oneLine makes one short line of anything", () => {
  expect(oneLine(" a\n\tb\x1b[1m ", 10)).toBe("a b");
});

test("a fenced text cannot close its fence", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("`", "``", "```", "````", "\n", "a")), (parts) => {
      const lines = fenced(parts.join("")).split("\n");
      expect(lines.slice(1, -1)).not.toContain(lines[0]);
      expect(lines.at(-1)).toBe(lines[0]);
    }),
  );
});

test("the mark of dropped contents is known again, also with three dots, and nothing else is taken for it", () => {
  expect(looksElided(`${elided(120)}\n`)).toBe(true);
  expect(looksElided(elided(120).replace("…", "..."))).toBe(true);
  expect(looksElided(`see ${elided(120)}`)).toBe(false);
  expect(looksElided("")).toBe(false);
});

test("countFitting counts the lines that fit with their newlines, and one at least", () => {
  expect(countFitting(["ab", "cd", "ef"], 6)).toBe(2);
  expect(countFitting(["ab", "cd"], 100)).toBe(2);
  expect(countFitting(["abcdef", "g"], 3)).toBe(1);
  expect(countFitting([], 3)).toBe(0);
});
