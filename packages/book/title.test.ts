import { describe, expect, it, test } from "vitest";
import { createScreenBook } from "./book.ts";
import { filesOf, makePage } from "./test/made-book.ts";
import { titleOfFile } from "./title.ts";

const titleWith = (outline: string): string | undefined =>
  /<h1>(.*)<\/h1>/.exec(makePage({ "outline.md": outline, "chapters/1.md": "# One" }))?.[1];

describe("the title of a book", () => {
  it("is the outline's first heading of the first level, in plain words", () => {
    expect(titleWith("## Plan\n\n# The *Office* of `Holes` & <b>more</b>\n\n# Other\n")).toBe(
      "The Office of Holes &amp; more",
    );
    expect(titleWith("```\n# not this\n```\n\nThis one\n========\n")).toBe("This one");
  });

  it("is the given one where the outline has none, or only calls itself an outline", () => {
    expect(titleWith("1. A Wall\n")).toBe("Given title");
    expect(titleWith("# Outline\n")).toBe("Given title");
    expect(titleWith("# Book outline\n")).toBe("Given title");
  });

  it.each(["Outline: The Office", "Book Outline – The Office", "The Office (Outline)", "The Office — Book Outline"])(
    "leaves out what names the file: %s",
    (heading) => {
      expect(titleWith(`# ${heading}\n`)).toBe("The Office");
    },
  );

  it("is never nothing: formats ask for one", () => {
    const files = filesOf({ "chapters/1.md": "# One" });
    const [page] = createScreenBook({ files, name: "n", title: "\u0001", id: "x", forms: ["html"] });
    expect(new TextDecoder().decode(page?.content ?? undefined)).toContain("<title>…</title>");
  });

  it("keeps a title that speaks of outlines", () => {
    expect(titleWith("# Outline of a Theory\n")).toBe("Outline of a Theory");
  });
});

test.each([
  ["chapters/03-the-long_way.md", "The long way"],
  ["chapters/12.md", "12"],
  ["chapters/chapter-1.md", "Chapter 1"],
  ["prologue.markdown", "Prologue"],
])("the title of %s is %s where its text has none", (path, title) => {
  expect(titleOfFile(path)).toBe(title);
});
