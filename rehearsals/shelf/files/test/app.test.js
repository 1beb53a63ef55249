import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { createApp } from "../src/app.js";
import { createShelf } from "../src/books.js";

const server = createServer(createApp(createShelf()));
let url;
before(async () => {
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  url = `http://127.0.0.1:${server.address().port}`;
});
after(() => server.close());

const post = (path, form = {}) =>
  fetch(url + path, { method: "POST", body: new URLSearchParams(form), redirect: "manual" });

test("a book is added, shown, and read", async () => {
  const added = await post("/books", { title: "Emma" });
  assert.deepEqual([added.status, added.headers.get("location")], [303, "/"]);
  assert.match(await (await fetch(url)).text(), /Emma <button/);
  assert.equal((await post("/books/1/read")).status, 303);
  assert.match(await (await fetch(url)).text(), /<s>Emma<\/s>/);
});

test("an empty title is refused with one line, and nothing is added", async () => {
  const refused = await post("/books", { title: " " });
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /role="alert">A book needs a title\.</);
});

test("an unknown page says so", async () => {
  assert.equal((await fetch(`${url}/nowhere`)).status, 404);
});
