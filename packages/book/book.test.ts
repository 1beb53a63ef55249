import { describe, expect, it } from "vitest";
import { createScreenBook } from "./book.ts";
import { filesOf, makeEpub, makeForm, makePage, RUN_ID } from "./test/made-book.ts";
import { wellFormedProblem } from "./test/well-formed.ts";

const book = { name: "office", title: "Given title", id: RUN_ID };
const tree = {
  "outline.md": "# The Office\n\n1. A Wall\n",
  "notes/continuity.md": "# Continuity\n",
  "README.md": "# Read me\n",
  "chapters/01-a-wall.md": "# 1. A Wall\n\nThere was a wall, and it was made of the best wood.\n",
  "chapters/02-a-slate.md": "# 2. A Slate\n\nThere was a slate, and Tom was not to touch it.\n",
};
const entry = /<a href="(#[^"]+)">([^<]*)<\/a>/g;
const contentsOf = (page: string): string[] =>
  [...(/<nav.*?<\/nav>/s.exec(page)?.[0] ?? "").matchAll(entry)].map(([, url, title]) => `${url} ${title}`);

describe("a book", () => {
  it("is delivered in the forms asked for, under the run's name", () => {
    const files = filesOf(tree);
    expect(createScreenBook({ ...book, files, forms: ["html", "epub"] }).map(({ path }) => path)).toEqual([
      "office.html",
      "office.epub",
    ]);
    expect(createScreenBook({ ...book, files, forms: ["epub"] }).map(({ path }) => path)).toEqual(["office.epub"]);
    expect(createScreenBook({ ...book, files, forms: [] })).toEqual([]);
  });

  it("is nothing where there are no chapters", () => {
    const files = filesOf({ "outline.md": "# A plan", "README.md": "# Read me", "notes/a.md": "a", "code.py": "1" });
    expect(createScreenBook({ ...book, files, forms: ["html", "epub"] })).toEqual([]);
    expect(createScreenBook({ ...book, files: new Map(), forms: ["html", "epub"] })).toEqual([]);
  });

  it("is nothing where the Markdown is too much to be one", () => {
    const files = filesOf({ "chapters/1.md": "word ".repeat(1_700_000) });
    expect(createScreenBook({ ...book, files, forms: ["html"] })).toEqual([]);
  });

  it("is the same, byte for byte, whenever and in whatever order its files are given", () => {
    const again = Object.fromEntries(Object.entries(tree).reverse());
    for (const form of ["html", "epub"] as const)
      expect(Buffer.compare(makeForm(tree, form), makeForm(again, form))).toBe(0);
  });

  it("has a page with the title, the contents with links, and the chapters", () => {
    const page = makePage(tree);
    expect(page).toMatch(/^<!DOCTYPE html>\n<html lang="en" dir="ltr">/);
    expect(page).toContain("<title>The Office</title>");
    expect(page).toContain("<h1>The Office</h1>");
    expect(contentsOf(page)).toEqual(["#c1 1. A Wall", "#c2 2. A Slate"]);
    expect(page).toContain('<section id="c2" class="chapter">\n<h2>2. A Slate</h2>\n<p>There was a slate,');
    expect(page).not.toContain("Continuity");
    expect(page).not.toContain("Read me");
  });

  it("has a page that fetches nothing, runs nothing, and follows the reader's wish for light or dark", () => {
    const page = makePage(tree);
    expect(page).toContain(
      '<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; img-src data:;',
    );
    expect(page).not.toMatch(/<script|<link|@import|url\(|https?:/);
    expect(page).toContain("@media (prefers-color-scheme: dark)");
  });

  it("keeps a hundred chapters in the order of their numbers", () => {
    const numbers = Array.from({ length: 100 }, (_, index) => index + 1);
    const chapters = Object.fromEntries(
      numbers.toReversed().map((number) => [`chapters/${number}-x.md`, `# Chapter ${number}\n`]),
    );
    expect(contentsOf(makePage(chapters))).toEqual(numbers.map((number) => `#c${number} Chapter ${number}`));
    const spine = [...(makeEpub(chapters)["EPUB/package.opf"] ?? "").matchAll(/<itemref idref="(c\d+)"/g)];
    expect(spine.map(([, id]) => id)).toEqual(numbers.map((number) => `c${number}`));
  });

  it("lists the headings where one file holds all the chapters", () => {
    const page = makePage({ "book.md": "# One\n\ntext\n\n## Within\n\n### Deeper\n\n# Two\n" });
    expect(contentsOf(page)).toEqual(["#c1 One", "#c1-1 Within", "#c1-3 Two"]);
    expect(page).toContain('<h2 id="c1-3">Two</h2>');
    expect(page).toContain('<h4 id="c1-2">Deeper</h4>');
  });

  it("reads byte order marks, any line ends and every script", () => {
    const page = makePage({
      "chapters/1.md": "\ufeff# Größe 漢字 🙂\r\n\r\nEine Zeile\r\nnoch eine\rund  \r\neine dritte.\r\n",
      "chapters/2.md": "---\r\ntitle: Vor dem Text\r\n---\r\n# Zwei\r\n",
    });
    expect(contentsOf(page)).toEqual(["#c1 Größe 漢字 🙂", "#c2 Zwei"]);
    expect(page).toContain("<p>Eine Zeile\nnoch eine\nund<br/>\neine dritte.</p>");
    expect(page).not.toMatch(/[\r\ufeff]|Vor dem Text/);
  });

  it("shows a chapter whose bytes are not UTF-8, or that is empty", () => {
    const page = makePage({
      "chapters/1.md": Uint8Array.of(0x41, 0xff, 0x00, 0x42),
      "chapters/02-the_long-way.md": "\n \n",
    });
    expect(page).toContain("<p>A\ufffdB</p>");
    expect(page).toContain("<h2>The long way</h2>");
    expect(wellFormedProblem(page.replace(/<style>.*<\/style>/s, ""))).toBeUndefined();
  });

  it("has the language that the front matter of its outline or a chapter declares", () => {
    const page = makePage({ "outline.md": '---\nlang: "de-at"\n---\n# Buch\n', "chapters/1.md": "# Eins\n" });
    expect(page).toContain('<html lang="de-AT" dir="ltr">');
    expect(page).toContain("<h1>Buch</h1>");
    expect(makePage({ "chapters/1.md": "---\nlanguage: fr\n---\n# Un\n" })).toContain('<html lang="fr" dir="ltr">');
  });

  it("is English where no language is declared, or none that exists", () => {
    expect(makePage({ "chapters/1.md": "# Eins\n" })).toContain('<html lang="en" dir="ltr">');
    expect(makePage({ "chapters/1.md": "---\nlang: _x_\n---\n# Eins\n" })).toContain('<html lang="en" dir="ltr">');
  });

  it("runs from right to left where its language does", () => {
    const hebrew = { "chapters/1.md": "---\nlang: he\n---\n# פרק ראשון\n\nהיה היה פעם קיר.\n" };
    expect(makePage(hebrew)).toContain('<html lang="he" dir="rtl">');
    expect(makeEpub(hebrew)["EPUB/package.opf"]).toContain('<spine page-progression-direction="rtl">');
  });
});
