/** Which files of a tree are the book's chapters, in reading order. */
import { naturalOrder } from "../text/natural-order.ts";

export function chapterPaths(paths: string[]): string[] {
  const markdown = paths.filter((path) => /\.(?:md|markdown)$/i.test(path));
  const chapters = markdown.filter((path) => /^chapters\//i.test(path));
  return (chapters.length > 0 ? chapters : markdown.filter(isReading)).sort(naturalOrder);
}

/** Files beside the text are for the author, not for the reader. */
const isReading = (path: string): boolean => !/^(?:outline\.md|notes\/.*|(?:.*\/)?readme\.md)$/i.test(path);
