import { expect, it } from "vitest";
import { makeEpub, makeText } from "./test/made-book.ts";
import { valuesOf } from "./test/well-formed.ts";

it("numbers notes as they are referred to, and links both ways", () => {
  const text = makeText("# T\n\nOne[^b], two[^a], one again[^b].\n\n[^a]: First *written*.\n[^b]: Word\n");
  expect(text).toContain('One<sup class="note"><a role="doc-noteref" id="c1-n2-from" href="#c1-n2">1</a></sup>');
  expect(text).toContain('again<sup class="note"><a role="doc-noteref" href="#c1-n2">1</a></sup>');
  expect(text.replace(/^.*<div class="notes">/s, "")).toContain(
    `<aside id="c1-n2" role="doc-footnote"><p><a href="#c1-n2-from" role="doc-backlink">1</a> Word</p></aside>
<aside id="c1-n1" role="doc-footnote"><p><a href="#c1-n1-from" role="doc-backlink">2</a> First <em>written</em>.</p></aside>`,
  );
});

it("reads notes of several lines and paragraphs", () => {
  const text = makeText("# T\n\nX[^1].\n\n[^1]: one\ntwo\n\n    three\n\nAfter.\n");
  expect(text).toContain("</a> one\ntwo</p>\n<p>three</p></aside>");
  expect(text).toContain("<p>After.</p>");
});

it("shows a reference to no note as it was written, and a note that nothing refers to", () => {
  const text = makeText("# T\n\nX[^none].\n\n[^lone]: Alone, but for [^other].\n\n[^other]: Other.\n");
  expect(text).toContain("<p>X[^none].</p>");
  expect(text).toContain('<aside id="c1-n1" role="doc-footnote"><p>Alone, but for ');
  expect(text.match(/<aside/g)).toHaveLength(2);
});

it("lets readers of EPUB show them in place", () => {
  const chapter = makeEpub({ "chapters/1.md": "# T\n\nX[^1]\n\n[^1]: N\n" })["EPUB/chapter-001.xhtml"];
  expect(chapter).toContain('<a epub:type="noteref"');
  expect(chapter).toContain('<aside id="c1-n1" epub:type="footnote"');
});

it("follows notes of notes, once each", () => {
  const text = makeText("# T\n\nX[^a].\n\n[^a]: See [^b].\n\n[^b]: See [^a].\n");
  expect(valuesOf(text, "id")).toEqual(["c1", "c1-n1-from", "c1-n1", "c1-n2-from", "c1-n2"]);
});

it("takes the link from words that hold a note: one link cannot stand in another", () => {
  const text = makeText("# T\n\n[a[^1]](https://example.org/)\n\n[^1]: N\n");
  expect(text).toContain('<p>a<sup class="note"><a role="doc-noteref"');
  expect(text).not.toContain("example.org");
});
