import { spawnSync } from "node:child_process";
import { crc32, inflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bookDate } from "./package-document.ts";
import { makeEpub, makeForm } from "./test/made-book.ts";
import { valuesOf, wellFormedProblem } from "./test/well-formed.ts";

const tree = {
  "outline.md": '# R & D: "A <T>"\n',
  "chapters/1.md":
    "# One\n\nIt was the first of two, and a [link](2.md#there) led to the other.[^1]\n\n[^1]: A note.\n",
  "chapters/2.md": "# Two & a half\n\n## There\n\n![Picture](/p.gif)\n",
  "p.gif": Uint8Array.from("GIF89a", (character) => character.charCodeAt(0)),
};
const parts = makeEpub(tree);
const part = (name: string): string => parts[name] ?? "";
const documents = Object.entries(parts).filter(([name]) => /\.(?:xhtml|opf|xml)$/.test(name));

const python = spawnSync("python3", ["-c", "import xml.dom.minidom"]).status === 0;

describe("an EPUB", () => {
  it("is known by its first entry: mimetype, as it is, from byte 38 on", () => {
    const bytes = Buffer.from(makeForm(tree, "epub"));
    expect(bytes.readUInt32LE(0)).toBe(0x04034b50);
    expect(bytes.readUInt16LE(8)).toBe(0);
    expect(bytes.readUInt16LE(28)).toBe(0);
    expect(bytes.toString("latin1", 30, 38 + 20)).toBe("mimetypeapplication/epub+zip");
  });

  it("is a zip that others read: sizes and sums of every entry are right", () => {
    const bytes = Buffer.from(makeForm(tree, "epub"));
    let at = 0;
    let entries = 0;
    for (; bytes.readUInt32LE(at) === 0x04034b50; entries += 1) {
      const from = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
      const raw = bytes.subarray(from, from + bytes.readUInt32LE(at + 18));
      const content = bytes.readUInt16LE(at + 8) === 0 ? raw : inflateRawSync(raw);
      expect([content.length, crc32(content)]).toEqual([bytes.readUInt32LE(at + 22), bytes.readUInt32LE(at + 14)]);
      at = from + raw.length;
    }
    expect(entries).toBe(Object.keys(parts).length);
  });

  it("says where its package is, what it is called, and since when it is so", () => {
    expect(part("META-INF/container.xml")).toContain('full-path="EPUB/package.opf"');
    const opf = part("EPUB/package.opf");
    expect(opf).toContain("<dc:title>R &amp; D: “A &lt;T&gt;”</dc:title>");
    expect(opf).toContain("<dc:language>en</dc:language>");
    expect(opf).toContain('<dc:identifier id="id">l2mac:01JB2Q3R4S5T6V7W8X9Y0ZABCD</dc:identifier>');
    expect(opf).toContain('<meta property="dcterms:modified">2024-10-25T20:50:27Z</meta>');
  });

  it("names every part in its manifest once, and has every part that it names", () => {
    const named = valuesOf(part("EPUB/package.opf"), "href").map((href) => `EPUB/${href}`);
    const there = Object.keys(parts).filter((name) => name.startsWith("EPUB/") && name !== "EPUB/package.opf");
    expect(named.sort()).toEqual(there.sort());
  });

  it("is read in the order: cover, title, contents, chapters", () => {
    expect(valuesOf(part("EPUB/package.opf"), "idref")).toEqual(["cover", "title", "nav", "c1", "c2"]);
    expect(part("EPUB/nav.xhtml")).toContain('<nav epub:type="toc"');
    expect(part("EPUB/nav.xhtml")).toContain('<li><a href="chapter-002.xhtml#c2">Two &amp; a half</a></li>');
  });

  it("has links that lead somewhere, and no id twice in a document", () => {
    for (const [name, text] of documents) {
      const ids = valuesOf(text, "id");
      expect(new Set(ids).size).toBe(ids.length);
      for (const href of name.endsWith(".xhtml") ? valuesOf(text, "href") : []) {
        const [file, fragment] = href.split("#");
        const target = file ? part(`EPUB/${file}`) : text;
        expect(target).not.toBe("");
        if (fragment) expect(valuesOf(target, "id")).toContain(fragment);
      }
    }
  });

  it("has well-formed documents only", () => {
    for (const [name, text] of documents) expect([name, wellFormedProblem(text)]).toEqual([name, undefined]);
  });

  it.skipIf(!python)("has documents that Python's XML parser reads (skipped where there is no python3)", () => {
    const script = "import sys,json,xml.dom.minidom\nfor t in json.load(sys.stdin): xml.dom.minidom.parseString(t)";
    const input = JSON.stringify(documents.map(([, text]) => text));
    expect(spawnSync("python3", ["-c", script], { input, encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  });
});

describe("the date of a book", () => {
  it("is the one in the run's id", () => {
    expect(bookDate("01ARZ3NDEKTSV4RRFFQ69G5FAV")).toBe("2016-07-30T23:54:10Z");
  });

  it("is a fixed one where the id has none that can be written", () => {
    expect(bookDate("rehearsal")).toBe("2000-01-01T00:00:00Z");
    expect(bookDate("ZZZZZZZZZZTSV4RRFFQ69G5FAV")).toBe("2000-01-01T00:00:00Z");
  });
});
