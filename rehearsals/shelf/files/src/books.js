/** The books of a reading list. Those to read come first, each in the order in which it was added. */
export function createShelf(books = []) {
  const kept = books.map((book) => ({ ...book }));
  return {
    list: () => [...kept.filter(({ read }) => !read), ...kept.filter(({ read }) => read)].map((book) => ({ ...book })),
    add(title) {
      const text = title.trim();
      if (text === "") throw new RangeError("A book needs a title.");
      if (text.length > 200) throw new RangeError("A title has at most 200 characters.");
      const id = Math.max(0, ...kept.map((book) => book.id)) + 1;
      kept.push({ id, title: text, read: false });
      return id;
    },
    finish(id) {
      const book = kept.find((each) => each.id === id);
      if (!book) throw new RangeError(`There is no book ${id}.`);
      book.read = true;
    },
  };
}
