/** What a PDF holds is read back with Poppler, where it is installed. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makePdf } from "../test/made-book.ts";
import { makeJpeg, makePng } from "../test/made-pictures.ts";

const folder = mkdtempSync(join(tmpdir(), "l2mac-pdf-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const poppler = spawnSync("pdftotext", ["-v"]).status === 0;

const words = (count: number): string =>
  Array.from({ length: count }, (_, at) => ["office", "pigeonhole", "a", "brass", "slate"][at % 5]).join(" ");

const tree = {
  "outline.md": "# The Office\n",
  "chapters/1.md": `# A Wall\n\nἘν ἀρχῇ ἦν ὁ λόγος. Все счастливые семьи. Příliš žluťoučký kůň. Tiếng Việt: đường.\n\n${words(900)}\n\nSee [the slate](2.md) and [the web](https://example.org/).[^1]\n\n[^1]: A note at the end.\n`,
  "chapters/2.md": `# A Slate\n\n| Hole | Number |\n|---|--:|\n| zero | 365 |\n\n- one\n- [x] two\n\n\`\`\`\n${"x".repeat(300)}END\n\`\`\`\n\n![A picture](/p.png)\n![Another](/q.jpg)\n`,
  "p.png": makePng({ width: 20, height: 10 }),
  "q.jpg": makeJpeg,
};

function read(program: string, content: Uint8Array, ...args: string[]): string {
  const path = join(folder, "book.pdf");
  writeFileSync(path, content);
  const [options, after] = program === "pdftotext" ? [["-layout", path, "-"], args] : [[path], args];
  const { status, stdout, stderr } = spawnSync(program, [...after, ...options], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}

describe.skipIf(!poppler)("a PDF, as Poppler reads it (needs pdftotext of poppler-utils)", () => {
  it("has a title, a fixed date and pages of a book's size", async () => {
    const info = read("pdfinfo", (await makePdf(tree)).pdf, "-isodates");
    expect(info).toMatch(/^Title: +The Office$/m);
    expect(info).toMatch(/^CreationDate: +2024-10-25T20:50:27Z$/m);
    expect(info).toMatch(/^Page size: +432 x 648 pts/m);
  });

  it("embeds every font that it uses, with a table that gives the characters back", async () => {
    const fonts = read("pdffonts", (await makePdf(tree)).pdf)
      .trim()
      .split("\n")
      .slice(2);
    expect(fonts.length).toBeGreaterThanOrEqual(3);
    for (const font of fonts) expect(font).toMatch(/ yes yes yes +\d+ +0$/);
  });

  it("prints Greek, Cyrillic and every accent as they were written", async () => {
    const text = read("pdftotext", (await makePdf(tree)).pdf);
    for (const written of ["Ἐν ἀρχῇ ἦν ὁ λόγος", "Все счастливые семьи", "Příliš žluťoučký kůň", "Tiếng Việt"])
      expect(text.replace(/\s+/g, " ")).toContain(written);
  });

  it("lists the chapters with the numbers of the pages that they begin on", async () => {
    const { pdf } = await makePdf(tree);
    const pages = read("pdftotext", pdf).split("\f");
    const contents = pages[2] ?? "";
    expect(contents).toContain("Contents");
    for (const title of ["A Wall", "A Slate"]) {
      const number = Number(new RegExp(`^ *${title} +(\\d+)$`, "m").exec(contents)?.[1]);
      expect(pages[number - 1]?.trim().split("\n")[0]).toBe(title);
      expect(pages[number - 1]?.trim().split("\n").at(-1)?.trim()).toBe(String(number));
    }
  });

  it("shows tables, notes and the whole of a line of code that is wider than the page", async () => {
    const text = read("pdftotext", (await makePdf(tree)).pdf);
    expect(text).toMatch(/^ *zero +365$/m);
    expect(text).toMatch(/1\.\s*A note at the end\./);
    const boxes = read("pdftotext", (await makePdf(tree)).pdf, "-bbox");
    expect(text.replace(/[\s↪]/g, "")).toContain(`${"x".repeat(300)}END`);
    const ends = [...boxes.matchAll(/xMax="([\d.]+)"/g)].map(([, end]) => Number(end));
    expect(ends.length).toBeGreaterThan(900);
    expect(Math.max(...ends)).toBeLessThanOrEqual(432 - 54 + 1);
  });

  it("has the pictures of the tree, and the mask of the one that is transparent", async () => {
    const images = read("pdfimages", (await makePdf(tree)).pdf, "-list")
      .trim()
      .split("\n")
      .slice(2);
    expect(images.map((line) => line.trim().split(/\s+/).slice(3, 5).join("x")).sort()).toEqual([
      "1x1",
      "20x10",
      "20x10",
    ]);
  });
});

describe("a PDF", () => {
  it("is the same, byte for byte, whenever and in whatever order its files are given", async () => {
    const again = Object.fromEntries(Object.entries(tree).reverse());
    const [first, second] = await Promise.all([makePdf(tree), makePdf(again)]);
    expect(Buffer.compare(first.pdf, second.pdf)).toBe(0);
    expect(first.notes).toEqual([]);
  });

  it("links to the web and within the book", async () => {
    const { pdf } = await makePdf(tree);
    const source = Buffer.from(pdf).toString("latin1");
    expect(source).toContain("/URI (https://example.org/)");
    expect(source).toMatch(/\/S \/GoTo[^>]*\/D \(c2\)/);
  });

  it("has no links but those that a reader may follow without a thought", async () => {
    const hostile = "[a](javascript:alert(1)) [b](file:///etc/passwd) [c](data:text/html,x) <javascript:alert(1)>";
    const source = Buffer.from((await makePdf({ "chapters/1.md": `# T\n\n${hostile}\n` })).pdf).toString("latin1");
    expect(source).not.toMatch(/\/URI|\/JavaScript|\/Launch|\/GoToR/);
  });
});

describe("what a PDF cannot show", () => {
  it("is named, and printed as boxes", async () => {
    const { pdf, notes } = await makePdf({ "chapters/1.md": `# T\n\n${words(200)} 中中 😀\n` });
    expect(pdf.length).toBeGreaterThan(1_000);
    expect(notes).toEqual(["The PDF shows 3 characters as boxes, because its fonts lack them: 中 😀."]);
  });

  it.each([
    [
      "a script that its fonts lack",
      "# 書\n\n吾輩は猫である。名前はまだ無い。\n",
      "its fonts lack too many of the characters: ",
    ],
    ["text from right to left", "---\nlang: he\n---\n# שלום\n", "it cannot set text from right to left"],
    [
      "more text than fits a function's memory",
      `# T\n\n${"word ".repeat(310_000)}`,
      "the book has 1551 KB of text; 1500 KB is the limit",
    ],
  ])("makes no PDF of %s, and the other forms all the same", async (_, chapter, why) => {
    const { paths, notes } = await makePdf({ "chapters/1.md": chapter });
    expect(paths).toEqual(["book.html", "book.epub"]);
    expect(notes).toEqual([expect.stringContaining(`No PDF was made: ${why}`)]);
  });

  it.each([
    ["cut off", makePng({ width: 20, height: 10 }).subarray(0, 60)],
    ["that is a bomb", makePng({ width: 20, height: 10, lines: 5_000 })],
    ["that claims more than it has", makePng({ width: 4_000, height: 3_000, lines: 2 })],
    ["with a filter that does not exist", makePng({ width: 20, height: 10, filter: 7 })],
    ["of JPEG without a frame", Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 2, 0, 0)],
  ])("leaves the description in the place of a picture %s", async (_, picture) => {
    const { pdf, notes } = await makePdf({ "chapters/1.md": "# T\n\n![What it shows](/p.png)\n", "p.png": picture });
    expect(Buffer.from(pdf).toString("latin1")).not.toContain("/Subtype /Image");
    expect(pdf.length).toBeGreaterThan(1_000);
    expect(notes).toEqual([]);
  });
});
