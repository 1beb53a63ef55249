import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { createApp } from "../src/app.js";
import { createShelf } from "../src/books.js";
import { page } from "../src/page.js";

const emma = { id: 1, title: "Emma", read: false };

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
