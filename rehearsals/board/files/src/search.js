/** The cards that have all the words. */
export function search(board, words) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return board.all().filter(({ text }) => wanted.every((word) => text.toLowerCase().includes(word)));
}
