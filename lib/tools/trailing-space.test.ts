import fc from "fast-check";
import { expect, it } from "vitest";
import { applyEdits } from "./edits.ts";

const edited = (text: string, find: string, replace: string) => applyEdits(text, [{ find, replace }]);

it.each([
  ["in the text", "a\nb  \nc\n", "a\nb\nc", "x\ny", "x\ny\n"],
  ["in what is looked for", "a\nb\nc\n", "b \n", "y\n", "a\ny\nc\n"],
  ["at the end of a line that begins before", "let a = 1;\t\nlet b;\n", "a = 1;\nlet b;", "c;", "let c;\n"],
  ["on one line", "one\ntwo\nthree\n", "two   ", "2", "one\n2\nthree\n"],
  ["in a file of another line end", "a\r\nb \r\nc\r\n", "a\nb\n", "x\n", "x\r\nc\r\n"],
  ["at the end of the file", "a \nb", "a\nb  ", "x", "x"],
])("takes the only passage that differs in white space %s", (_, text, find, replace, expected) => {
  expect(edited(text, find, replace)).toEqual({ text: expected, places: 1 });
});

it.each([
  ["there are several", "a \nb\na  \nb\n", "a\nb\n"],
  ["white space before it differs", "  a \n b\n", " a\nb"],
  ["it is nothing but white space", "a\n  \nb\n", " \n "],
])("takes none where %s", (_, text, find) => expect(edited(text, find, "x")).toHaveProperty("problem"));

it("prefers the exact passage", () => {
  expect(edited("a \nb\na\nb\n", "a\nb", "x")).toEqual({ text: "a \nb\nx\n", places: 1 });
});

it("changes nothing outside of the passage", () => {
  const line = fc.stringMatching(/^[ab ]{0,4}$/);
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), fc.array(line, { minLength: 1, maxLength: 3 }), (before, passage) => {
      const find = passage.map((one) => one.trimEnd()).join("\n");
      const text = [...before, "#", ...passage, "#"].join("\n");
      const done = edited(text, `#\n${find}\n#`, "new");
      if ("text" in done) expect(done.text).toBe([...before, "new"].join("\n"));
      else expect(before.join("\n")).toContain("#");
    }),
  );
});

it("gives up in time where very many lines are alike", () => {
  expect(edited("a \n".repeat(100_000), "a\n".repeat(50_000), "x")).toHaveProperty("problem");
});
