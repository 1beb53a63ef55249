/** What a book is called. */
import { type MarkdownToken, partsOf } from "./markdown.ts";
import { plainText } from "./plain-text.ts";

/** The outline's first heading, unless all it says is that this is an outline. */
export function titleOfOutline(blocks: MarkdownToken[]): string | undefined {
  const heading = blocks.filter((block) => block.type === "heading").find(({ depth }) => depth === 1);
  return (heading && withoutOutline(plainText(partsOf(heading)))) || undefined;
}

/** "Outline", "Book Outline: The Office" and "The Office (Outline)" name the file, not the book. */
const withoutOutline = (heading: string): string =>
  heading
    .replace(/^(?:book )?outline(?:$| ?[:–—-] ?)/i, "")
    .replace(/ (?:[:–—-] ?(?:book )?outline|\((?:book )?outline\))$/i, "");

/** A chapter's title where its text has none: `03-the-long_way.md` is "The long way". */
export function titleOfFile(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
  const words =
    name
      .replace(/^\d+[\s._-]+/, "")
      .replace(/[\s_-]+/g, " ")
      .trim() || name;
  return words.charAt(0).toUpperCase() + words.slice(1);
}
