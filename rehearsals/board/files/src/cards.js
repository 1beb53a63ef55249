export const COLUMNS = ["To do", "Doing", "Done"];

/** Keeps cards, each in one column. */
export function createBoard() {
  const cards = [];
  return {
    in: (column) => cards.filter((card) => card.column === column),
    all: () => [...cards],
    add(text) {
      if (text.trim() === "") throw new RangeError("A card needs a text.");
      cards.push({ id: cards.length + 1, text: text.trim(), column: COLUMNS[0] });
    },
    move(id, column) {
      const card = cards.find((each) => each.id === id);
      if (!card || !COLUMNS.includes(column)) throw new RangeError("There is no such card or column.");
      card.column = column;
    },
  };
}
