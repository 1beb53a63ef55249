import { describe, expect, it } from "vitest";
import { makeText } from "./test/made-book.ts";

const textOf = (markdown: string): string => makeText(`# T\n\n${markdown}`).replace(/^.*?<h2>T<\/h2>\n/s, "");

describe("Markdown", () => {
  it.each([
    ["marks", "*a* **b** ~~c~~ `d & e`", "<em>a</em> <strong>b</strong> <del>c</del> <code>d &amp; e</code>"],
    ["lists", "3. a\n4. b\n   - c\n", '<ol start="3">\n<li>a\n</li>\n<li>b\n<ul>\n<li>c\n</li>\n</ul>\n</li>\n</ol>'],
    ["tasks", "- [x] a\n- [ ] b\n", "<li>☑ \na\n</li>\n<li>☐ \nb\n</li>"],
    ["quotations", "> a\n>\n> > b\n", "<blockquote>\n<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n</blockquote>"],
    ["rules", "a\n\n---\n\nb\n", "<p>a</p>\n<hr/>\n<p>b</p>"],
    ["code", '```html\n<b a="1">&amp;\n```\n', "<pre><code>&lt;b a=&quot;1&quot;&gt;&amp;amp;</code></pre>"],
    ["tables", "|a|b|\n|-:|-|\n|1|`x`|\n", '<tr><td class="right">1</td><td><code>x</code></td></tr>'],
    ["character references", "&eacute;&nbsp;&#233;&#x1F600; &mdash; &bogus;", "é\u00a0é😀 — &amp;bogus;"],
    ["line breaks", "a  \nb\\\nc", "a<br/>\nb<br/>\nc"],
    ["headings", "## a\n\n#### b\n\n## a\n", '<h3 id="c1-1">a</h3>\n<h5 id="c1-2">b</h5>\n<h3 id="c1-3">a</h3>'],
  ])("has %s", (_, markdown, xhtml) => {
    expect(textOf(markdown)).toContain(xhtml);
  });

  it("keeps plain markup that ends where it should, drops layout and comments, shows what is no HTML", () => {
    expect(textOf("H<sub>2</sub>O <b class='x'>b</b> <i>open <u>a</i> <span>s</span><br>Vec<T> <!-- no -->")).toContain(
      "<p>H<sub>2</sub>O <b>b</b> <i>open a</i> s<br/>\nVec&lt;T&gt; </p>",
    );
    expect(textOf('<div align="center">\n\n*a*\n\n</div>\n\n<p>b<br>c</p>\n')).toContain(
      "<p><em>a</em></p>\n<p>b<br/>\nc</p>",
    );
  });
});

describe("a chapter's heading", () => {
  it("is the file's first one, whatever its level", () => {
    expect(makeText("### Deep\n\n#### Deeper\n")).toContain('<h2>Deep</h2>\n<h3 id="c1-1">Deeper</h3>');
  });

  it("stays in place if something precedes it", () => {
    expect(makeText("> Motto\n\n# T\n\ntext")).toMatch(
      /class="chapter">\n<blockquote>\n<p>Motto<\/p>\n<\/blockquote>\n<h2 id="c1-1">T<\/h2>/,
    );
  });
});

describe("links", () => {
  const others = { "chapters/2-b.md": "# B\n\n## The gate\n\n## The gate\n", "c.md": "" };
  it.each([
    ["[a](https://example.org/?x=1&y=2)", '<a href="https://example.org/?x=1&amp;y=2">a</a>'],
    ["<https://example.org/>", '<a href="https://example.org/">https://example.org/</a>'],
    ["[a](http://u:p@example.org/%zz|x?[y]#z^#)", '<a href="http://example.org/%25zz%7Cx?%5By%5D#z%5E%23">a</a>'],
    ["[a](http://bücher.example/ü)", '<a href="http://xn--bcher-kva.example/%C3%BC">a</a>'],
    ["[a](<https://a b>) [b](https://[x]/)", "<p>a b</p>"],
    ["[a](mailto:a@example.org)", '<a href="mailto:a@example.org">a</a>'],
    ["[a](2-b.md)", '<a href="#c2">a</a>'],
    ["[a](./2-b.md#the-gate-1)", '<a href="#c2-2">a</a>'],
    ["[a](chapters/2-b.md#gone)", '<a href="#c2">a</a>'],
    ["[a](#within)", '<a href="#c1-1">a</a>'],
    ["[a](../c.md)", "<p>a</p>"],
    ["[a](../../../etc/passwd)", "<p>a</p>"],
    ["[*a*](file:///etc/passwd)", "<p><em>a</em></p>"],
  ])("%s lead to the web or into the book", (markdown, xhtml) => {
    expect(makeText(`# T\n\n## Within\n\n${markdown}\n`, others)).toContain(xhtml);
  });

  it("stop where one long address, referred to again and again, would make the book too large", () => {
    const address = `https://example.org/${"x".repeat(50_000)}`;
    const text = textOf(`${"[word] ".repeat(100)}\n\n[word]: ${address}\n`);
    expect(text.match(/<a href/g)).toHaveLength(79);
    expect(text.match(/word/g)).toHaveLength(100);
  });
});
