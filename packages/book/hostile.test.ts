/** Books are written by models and from untrusted sources: nothing in them may act on a reader. */
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { thorough } from "../../test/doubles/thorough.ts";
import { makeEpub, makePage, makePdf, makeText } from "./test/made-book.ts";
import { valuesOf, wellFormedProblem } from "./test/well-formed.ts";

const HOSTILE = [
  "<script>alert(1)</script>",
  "<script\n>alert(1)</script\n>",
  "a <script src=//evil.example/x.js></script> b",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "<img src=x onerror=alert(1)>",
  '<b onclick="alert(1)">x</b>',
  "<svg><script>alert(1)</script></svg>",
  "<svg/onload=alert(1)>",
  '<iframe src="https://evil.example"></iframe>',
  "<style>@import url(https://evil.example)</style>",
  '<link rel="stylesheet" href="https://evil.example">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<base href="https://evil.example/">',
  '<form action="https://evil.example"><input></form>',
  "</section></main></body></html><script>alert(1)</script>",
  "]]><!-- --!><script>alert(1)</script>",
  "<![CDATA[<script>alert(1)</script>]]>",
  "<?xml-stylesheet href='https://evil.example'?>",
  '<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]>&x;',
  "[a](javascript:alert(1))",
  "[a](JaVaScRiPt:alert(1))",
  "[a](java\tscript:alert(1))",
  "[a](&#106;avascript:alert(1))",
  "[a](javascript&colon;alert(1))",
  "[a](&#x6A;avascript&#58;alert(1))",
  "[a](<\x01javascript:alert(1)>)",
  "[a](vbscript:x) [b](data:text/html,<script>alert(1)</script>) [c](file:///etc/passwd) [d](//evil.example)",
  "<javascript:alert(1)>",
  "[a]\n\n[a]: javascript:alert(1)",
  "![a](javascript:alert(1)) ![b](https://evil.example/x.png) ![c](data:image/svg+xml,<svg/onload=alert(1)>)",
  '![a" onerror="alert(1)](../p.png "t\\" onload=\\"alert(1)")',
  '[a](https://example.org/"onmouseover="alert(1))',
  "[a](https://example.org/ 'x\" onmouseover=\"alert(1)')",
  '`" onclick="alert(1)`<code>',
  '```"><script>alert(1)</script>\n</code></pre><script>alert(1)</script>\n```',
  '[^1"><script>alert(1)</script>]\n\n[^1"><script>alert(1)</script>]: x',
  "# <script>alert(1)</script>",
  "|<script>|\n|-|\n|alert(1)</script>|",
  "&lt;script&gt;alert(1)&lt;/script&gt; &#60;script&#62; &amp;lt;script",
  "a\0b\x08c\x0bd\ufffee\uffff \u{1f600} &#0; &#8; &#xD800; &#xFFFE; &#x110000;",
  `${"> ".repeat(5000)}deep`,
  `${"- ".repeat(500)}deep`,
  `${"*".repeat(3000)}a${"*".repeat(3000)}`,
  "*a _b ".repeat(700) + "c_ d* ".repeat(700),
  `${"<b><i>".repeat(2000)}x${"</i></b>".repeat(2000)}`,
  `${"<b><i>".repeat(200)}x${"</i></b>".repeat(200)}`,
  `${"[".repeat(3000)}a${"](b)".repeat(3000)}`,
  Array.from({ length: 200 }, (_, depth) => `${"  ".repeat(depth)}- deep`).join("\n"),
];

const PICTURE = Uint8Array.from("GIF89a", (character) => character.charCodeAt(0));
const ELEMENTS =
  "section h1 h2 h3 h4 h5 h6 p a em strong del code pre br hr ul ol li blockquote div table thead tbody tr th td figure img sup sub b i s u mark small kbd q cite abbr ins aside".split(
    " ",
  );
const ATTRIBUTES = "id class href src alt start role".split(" ");

/** What of a chapter's text could act on a reader, or nothing. */
function dangerIn(text: string): string | undefined {
  for (const [tag, , name = "", attributes = ""] of text.matchAll(/<(\/?)([^\s/>]+)([^>]*)>/g)) {
    if (!ELEMENTS.includes(name)) return tag;
    for (const [, attribute = ""] of attributes.matchAll(/ ([^\s=]+)="[^"]*"/g))
      if (!ATTRIBUTES.includes(attribute)) return tag;
  }
  const hrefs = valuesOf(text, "href").filter((href) => !/^(?:#c\d|https?:\/\/[^/]|mailto:)/.test(href));
  const sources = valuesOf(text, "src").filter(
    (src) => !/^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=]*$/.test(src),
  );
  return [...hrefs, ...sources][0];
}

describe("hostile Markdown", () => {
  it.each(HOSTILE.map((markdown) => [markdown.slice(0, 70), markdown]))("%j cannot act", (_, markdown) => {
    const text = makeText(`# T\n\n${markdown}\n\nThe end.\n`, { "p.png": PICTURE });
    expect(dangerIn(text)).toBeUndefined();
    expect(wellFormedProblem(text)).toBeUndefined();
    expect(text).toContain("The end.");
  });

  it("cannot act from titles and names of files", () => {
    const evil = "</title><script>alert(1)</script>";
    const tree = { "outline.md": `# \\${evil}`, "chapters/1.md": `# \\${evil}`, [`chapters/${evil}.md`]: "x" };
    const page = makePage(tree);
    expect(page).not.toContain("<script");
    expect(page).toContain("<title>&lt;/title&gt;");
    for (const [name, text] of Object.entries(makeEpub(tree)))
      if (/\.(?:xhtml|opf)$/.test(name)) expect([name, wellFormedProblem(text)]).toEqual([name, undefined]);
  });

  it("cannot act, or break the page, in any mixture", () => {
    const piece = fc.oneof(
      fc.constantFrom(...HOSTILE.filter((markdown) => markdown.length < 200)),
      fc.constantFrom("\n", "\n\n", "    ", "> ", "- ", "1. ", "```\n", "`", "*", "**", "_", "[", "](", ")", "![", "<"),
      fc.constantFrom(
        "[^1]",
        "\n[^1]: ",
        "|",
        "\n|-|\n",
        "&",
        "&lt;",
        "#",
        "<b>",
        "</b>",
        "<!--",
        "-->",
        '"',
        "'",
        "\\",
      ),
      fc.string({ unit: "binary", maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = makeText(pieces.join(""), { "p.png": PICTURE });
        expect(dangerIn(text)).toBeUndefined();
        expect(wellFormedProblem(text)).toBeUndefined();
      }),
      { numRuns: thorough(80, 400) },
    );
  });

  it("is printed to its end, without anything that could act", async () => {
    const tree = Object.fromEntries(HOSTILE.map((markdown, index) => [`chapters/${index}.md`, markdown]));
    const { pdf, notes } = await makePdf({ ...tree, "p.png": PICTURE });
    expect(notes).toEqual([expect.stringMatching(/^The PDF shows \d+ characters as boxes/)]);
    const source = Buffer.from(pdf).toString("latin1");
    expect(source).not.toMatch(/\/JavaScript|\/Launch|\/GoToR|\/EmbeddedFile|\/SubmitForm/);
    expect(source).not.toMatch(/\/URI \((?!https?:\/\/[^/]|mailto:)/);
  });

  const python = spawnSync("python3", ["-c", "import xml.dom.minidom"]).status === 0;
  it.skipIf(!python)("gives XHTML that Python's XML parser reads (skipped where there is no python3)", () => {
    const tree = Object.fromEntries(HOSTILE.map((markdown, index) => [`chapters/${index}.md`, markdown]));
    const documents = Object.entries(makeEpub(tree)).filter(([name]) => name.endsWith(".xhtml"));
    expect(documents).toHaveLength(HOSTILE.length + 3);
    const script = "import sys,json,xml.dom.minidom\nfor t in json.load(sys.stdin): xml.dom.minidom.parseString(t)";
    const input = JSON.stringify(documents.map(([, text]) => text));
    expect(spawnSync("python3", ["-c", script], { input, encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  });
});
