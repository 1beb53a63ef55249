/** The door of the book: HTML, EPUB and PDF of a tree, and the reader of Markdown that the page shares. */
export { createBook, createScreenBook } from "./book.ts";
export { characters } from "./character-references.ts";
export { isLineBreakTag, withoutTags } from "./clean-html.ts";
export { type MarkdownToken, markdownReader, partsOf } from "./markdown.ts";
export { styleText } from "./page-style.ts";
export type { ReadFont } from "./pdf/faces.ts";
export { plainText } from "./plain-text.ts";
