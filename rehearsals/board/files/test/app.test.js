import assert from "node:assert/strict";
import { test } from "node:test";
import { createApp } from "../src/app.js";
import { createBoard } from "../src/cards.js";

test("a card that is posted is in the list", async () => {
  const answer = createApp(createBoard());
  const posted = await answer({ method: "POST", path: "/cards", body: "Door" });
  const listed = await answer({ method: "GET", path: "/cards" });
  assert.equal(posted?.status, 201);
  assert.equal(JSON.parse(listed.body)[0].text, "Door");
});
