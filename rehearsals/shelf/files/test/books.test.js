import assert from "node:assert/strict";
import { test } from "node:test";
import { createShelf } from "../src/books.js";

const titles = (shelf) => shelf.list().map(({ title }) => title);

test("books to read come before books that were read", () => {
  const shelf = createShelf();
  const first = shelf.add("Emma");
  shelf.add("Ulysses");
  shelf.finish(first);
  assert.deepEqual(titles(shelf), ["Ulysses", "Emma"]);
});

test("a title needs text, and not too much of it", () => {
  const shelf = createShelf();
  assert.throws(() => shelf.add("   "), /needs a title/);
  assert.throws(() => shelf.add("x".repeat(201)), /at most 200/);
  assert.deepEqual(titles(shelf), []);
});

test("a book that is not there cannot be finished", () => {
  assert.throws(() => createShelf().finish(7), /no book 7/);
});

test("what is listed can be changed without changing the shelf", () => {
  const shelf = createShelf([{ id: 4, title: "Emma", read: false }]);
  shelf.list()[0].title = "changed";
  assert.deepEqual(titles(shelf), ["Emma"]);
});
