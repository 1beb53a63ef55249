import { describe, expect, it } from "vitest";
import { highlighted } from "./browser/highlight.ts";
import { escaped, linesOf } from "./code-lines.ts";

describe("coloured code in lines", () => {
  it("closes at the end of a line what goes on in the next", () => {
    expect(linesOf('<span class="a">x\n<span class="b">y\n</span></span>z')).toEqual([
      '<span class="a">x</span>',
      '<span class="a"><span class="b">y</span></span>',
      '<span class="a"><span class="b"></span></span>z',
    ]);
    const lines = linesOf(highlighted("a.js", "/** one\n * two */\nconst x = `<b>\n`;\n") ?? "");
    expect(lines).toHaveLength(5);
    for (const line of lines) expect(line.split("<span").length).toBe(line.split("</span>").length);
  });

  it("holds no tag that was in the text", () => {
    expect(escaped(`<img src=x onerror='a("b&c")'>`)).toBe(
      "&lt;img src=x onerror=&#39;a(&quot;b&amp;c&quot;)&#39;&gt;",
    );
    for (const path of ["a.html", "a.js", "a.md", "a.css"])
      expect(highlighted(path, `</span><span class="x"><script>1</script>`)).not.toMatch(/<(?!\/?span)/);
  });
});
