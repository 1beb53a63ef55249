import { COLUMNS } from "./cards.js";

const escaped = (text) => text.replace(/[&<>"]/g, (found) => `&#${found.charCodeAt(0)};`);

/** The whole board: a list for each column. */
export function page(board) {
  const list = (column) => board.in(column).map(({ text }) => `<li>${escaped(text)}</li>`);
  return COLUMNS.map((column) => `<h2>${column}</h2><ul>${list(column).join("")}</ul>`).join("\n");
}
