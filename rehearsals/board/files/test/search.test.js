import assert from "node:assert/strict";
import { test } from "node:test";
import { createBoard } from "../src/cards.js";
import { search } from "../src/search.js";

test("cards are found by all their words", () => {
  const board = createBoard();
  for (const text of ["Paint the door", "Paint the wall"]) board.add(text);
  const found = search(board, "PAINT door");
  assert.equal(found.length, 1);
  assert.equal(found[0].text, "Paint the door");
});
