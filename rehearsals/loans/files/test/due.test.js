import assert from "node:assert/strict";
import { test } from "node:test";
import { createShelf, isOverdue } from "../src/books.js";

const emma = { id: 1, title: "Emma", read: false };

test("a book is overdue from the day after it was due, until it is read", () => {
  const lent = { ...emma, due: "2026-03-31" };
  assert.equal(isOverdue(lent, "2026-03-31"), false);
  assert.equal(isOverdue(lent, "2026-04-01"), true);
  assert.equal(isOverdue({ ...lent, read: true }, "2026-04-01"), false);
  assert.equal(isOverdue(emma, "2026-04-01"), false);
});

test("a due date is a day of the calendar, or nothing", () => {
  const shelf = createShelf([emma]);
  for (const wrong of ["soon", "2026-02-30", "31.3.2026"]) assert.throws(() => shelf.lend(1, wrong), /such as 2026/);
  shelf.lend(1, "2026-03-31");
  assert.equal(shelf.list()[0].due, "2026-03-31");
  shelf.lend(1, "");
  assert.equal(shelf.list()[0].due, undefined);
});
