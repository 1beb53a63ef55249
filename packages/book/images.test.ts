import { describe, expect, it } from "vitest";
import { makeEpub, makeText } from "./test/made-book.ts";

const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const png = latin1("\x89PNG\r\n\x1a\n and more");
const pictures = {
  "images/a.png": png,
  "images/b.bin": latin1("\xff\xd8\xff\xe0"),
  "images/c.gif": latin1("GIF89a"),
  "chapters/d e.webp": latin1("RIFF\x01\x02\x03\x04WEBP"),
  "images/e.svg": "<svg xmlns='x'><script>alert(1)</script></svg>",
  "images/f.png": "<svg/>",
};

describe("pictures", () => {
  it.each([
    ["../images/a.png", `data:image/png;base64,${Buffer.from(png).toString("base64")}`],
    ["/images/b.bin?x#y", "data:image/jpeg;base64,/9j/4A=="],
    ["../images/c.gif", "data:image/gif;base64,R0lGODlh"],
    ["d%20e.webp", "data:image/webp;base64,UklGRgECAwRXRUJQ"],
  ])("of the tree are in the page: %s", (href, url) => {
    expect(makeText(`![A "b"](${href})`, pictures)).toContain(
      `<figure><img src="${url}" alt="A &quot;b&quot;"/></figure>`,
    );
  });

  it.each([
    "../images/e.svg",
    "../images/f.png",
    "../images/none.png",
    "../../images/a.png",
    "https://example.org/a.png",
    "//example.org/a.png",
    "data:image/png;base64,AAAA",
    "javascript:alert(1)",
  ])("from elsewhere, or that are none, are shown by their description: %s", (href) => {
    const text = makeText(`# T\n\nx ![A < b](${href}) ![](${href})\n`, pictures);
    expect(text).toContain('<p>x <em class="missing">[A &lt; b]</em> </p>');
    expect(text).not.toContain("<img");
  });

  it("are in the EPUB once, and named in its manifest", () => {
    const parts = makeEpub({
      ...pictures,
      "chapters/1.md": "![x](../images/c.gif) ![x](../images/c.gif) ![y](d%20e.webp)",
    });
    expect(parts["EPUB/pictures/1.gif"]).toBe("GIF89a");
    expect(Object.keys(parts).filter((name) => name.startsWith("EPUB/pictures/"))).toHaveLength(2);
    expect(parts["EPUB/package.opf"]).toContain(
      '<item id="picture-2" href="pictures/2.webp" media-type="image/webp"/>',
    );
    expect(parts["EPUB/chapter-001.xhtml"]?.match(/src="pictures\/1\.gif"/g)).toHaveLength(2);
  });

  it("stop where they would make the page too large", () => {
    const large = new Uint8Array(5_000_000);
    large.set(png);
    const text = makeText("![x](/a.png)".repeat(6), { "a.png": large });
    expect(text.match(/<img/g)).toHaveLength(4);
    expect(text.match(/\[x\]/g)).toHaveLength(2);
  });
});
