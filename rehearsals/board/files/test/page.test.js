import assert from "node:assert/strict";
import { test } from "node:test";
import { createBoard } from "../src/cards.js";
import { page } from "../src/page.js";

test("the text of a card is shown as text, never as HTML", () => {
  const board = createBoard();
  board.add("<b>Door</b>");
  const shown = String(page(board));
  assert.match(shown, /<li>&#60;b&#62;Door/);
});
