import assert from "node:assert/strict";
import { test } from "node:test";
import { createBoard } from "../src/cards.js";

test("a card moves from column to column", () => {
  const board = createBoard();
  board.add(" Paint the door ");
  board.move(1, "Doing");
  assert.deepEqual(board.in("Doing"), [{ id: 1, text: "Paint the door", column: "Doing" }]);
  assert.deepEqual(board.in("To do"), []);
});

test("a card without a text is refused", () => {
  const board = createBoard();
  assert.throws(() => board.add("  "), RangeError);
  assert.equal(board.all().length, 0);
});
