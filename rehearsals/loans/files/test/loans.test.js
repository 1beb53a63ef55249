import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { createApp } from "../src/app.js";
import { createShelf, isOverdue } from "../src/books.js";
import { page } from "../src/page.js";

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

test("the page marks what is overdue, and nothing else", () => {
  const books = [{ ...emma, due: "2026-03-31" }];
  assert.match(page(books, "", "2026-04-01"), /<strong>overdue<\/strong>/);
  assert.doesNotMatch(page(books, "", "2026-03-31"), /overdue/);
});

const server = createServer(createApp(createShelf([emma])));
before(() => new Promise((listening) => server.listen(0, "127.0.0.1", listening)));
after(() => server.close());

test("the form sets a due date, and refuses what is none with one line", async () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  const post = (due) =>
    fetch(`${url}/books/1/due`, { method: "POST", body: new URLSearchParams({ due }), redirect: "manual" });
  assert.equal((await post("2026-03-31")).status, 303);
  assert.match(await (await fetch(url)).text(), /value="2026-03-31"/);
  const refused = await post("soon");
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /role="alert">A due date is a day/);
});
