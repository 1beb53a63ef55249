import { describe, expect, it } from "vitest";
import { linkTarget } from "./link-target.ts";

describe("a link in Markdown", () => {
  it.each([
    ["https://example.org/a?b#c", { url: "https://example.org/a?b#c" }],
    ["mailto:a@example.org", { url: "mailto:a@example.org" }],
    ["https://bank.example@evil.example/x", { url: "https://evil.example/x" }],
    ["//evil.example/x", { url: "http://evil.example/x" }],
    ["src/main.js", { path: "docs/src/main.js" }],
    ["../a%20b.md#part", { path: "a b.md" }],
    ["/README.md", { path: "README.md" }],
    ["../../../etc/passwd", { path: "etc/passwd" }],
  ])("leads to the web or to a file: %s", (href, target) => {
    expect(linkTarget(href, "docs/guide.md")).toEqual(target);
  });

  it.each([
    "javascript:alert(1)",
    " JavaScript:alert(1)",
    "java\tscript:alert(1)",
    "data:text/html,<script>1</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:http://a/b",
    "http://",
    "%",
    "#part",
  ])("leads nowhere: %s", (href) => {
    expect(linkTarget(href, "README.md")).toBeUndefined();
  });
});
