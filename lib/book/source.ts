/** The Markdown of a file, whatever editor wrote it. */

/** Fits leniently: a chapter with a broken byte is still a chapter. Drops a byte order mark. */
const decoder = new TextDecoder("utf-8");

export const readSource = (content: Uint8Array): string =>
  withoutFrontMatter(decoder.decode(content).replace(/\r\n?/g, "\n"));

/** Settings that some write before the text, between two rules, are not for the reader. */
const withoutFrontMatter = (source: string): string =>
  source.replace(/^---\n(?:[\w-]+:.*\n|[ \t]+.*\n|- .*\n)+---(?:\n|$)/, "");
