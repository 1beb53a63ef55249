import assert from "node:assert/strict";
import { test } from "node:test";
import { page } from "../src/page.js";

test("a title is shown as text, never as HTML", () => {
  const html = page([{ id: 1, title: '<script>alert("x")</script>', read: false }]);
  assert.ok(!html.includes("<script>"));
  assert.ok(html.includes("&lt;script&gt;"));
});

test("only books to read have a button", () => {
  const html = page([{ id: 2, title: "Emma", read: true }]);
  assert.ok(html.includes("<s>Emma</s>"));
  assert.ok(!html.includes("/books/2/read"));
});

test("a problem is shown to people who cannot see it, too", () => {
  assert.match(page([], "A book needs a title."), /<p role="alert">A book needs a title\.<\/p>/);
});
