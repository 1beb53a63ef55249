import { describe, expect, it } from "vitest";
import { readingCost } from "./reading-cost.ts";
import { makePage, makeText } from "./test/made-book.ts";

const chapter = "# A chapter\n\n".concat(
  'A *paragraph* of some length, with "speech", with a [link](x.md), and nothing special. '
    .repeat(8)
    .concat("\n\n")
    .repeat(40),
);

describe("the cost of reading Markdown", () => {
  it("is small for a book: thousands of chapters fit", () => {
    expect(chapter.length).toBeGreaterThan(25_000);
    expect(readingCost(chapter)).toBeLessThan(3_000_000);
  });

  it.each([
    ["quotations in quotations", "> ".repeat(30)],
    ["lists in lists", "- ".repeat(30)],
    ["one endless emphasis", "*".repeat(200)],
    ["a paragraph as long as a book", "word ".repeat(20_000)],
    ["a paragraph of marks", "!".repeat(4_000)],
    ["thousands of lines without a blank one", "a\n".repeat(4_000)],
  ])("has no limit that we know for %s", (_, source) => {
    expect(readingCost(`text\n\n${source}\n\ntext`)).toBe(Number.POSITIVE_INFINITY);
  });

  it("counts the cells that a table asks for, not those that are written", () => {
    const table = (columns: number, rows: number): string =>
      `${"|a".repeat(columns)}|\n${"|-".repeat(columns)}|\n${"|a|\n".repeat(rows)}`;
    expect(readingCost(table(500, 1_000))).toBeGreaterThan(1_000_000_000);
    expect(readingCost(table(5, 40))).toBeLessThan(1_000_000);
  });
});

it("shows a text that would cost too much as plain paragraphs, with its title", () => {
  const text = makeText(`# The *title*\n\n${"> ".repeat(30)}a & b\nnext\n\n*last*\n`);
  expect(text).toContain("<h2>The *title*</h2>");
  expect(text).toContain("a &amp; b<br/>\nnext</p>\n<p>*last*</p>");
});

it("reads a book's chapters until all of them cost too much, and sets the rest as they stand", () => {
  const costly = `*yes* ${"word. ".repeat(2_900)}${"word ".repeat(9_000)}`;
  expect(readingCost(costly)).toBeLessThan(200_000_000);
  const page = makePage(Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((number) => [`chapters/${number}.md`, costly])));
  expect(page.match(/<em>yes<\/em>/g)).toHaveLength(5);
  expect(page.match(/\*yes\*/g)).toHaveLength(2);
});
