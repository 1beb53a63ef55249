/** Where a text says given words, whatever its line ends, spaces and kinds of quotation marks are. Pure. */
import { wordsOfText } from "../../prose/book-text.ts";
import { visibleText } from "./visible-text.ts";

export interface LineRange {
  from: number;
  to: number;
}

/** Fewer are in many a text by chance. */
export const PASSAGE_WORDS = 5;

/** From 1. What readers do not see, such as a comment or the address of a link, is not looked at. */
export function linesOfPassage(text: string, words: string): LineRange | undefined {
  const wanted = plainOf(visibleText(words)).plain.trim();
  if (wordsOfText(wanted).length < PASSAGE_WORDS) return undefined;
  const { plain, lines } = plainOf(visibleText(text));
  const at = plain.indexOf(wanted);
  if (at < 0) return undefined;
  return { from: lines[at] ?? 1, to: lines[at + wanted.length - 1] ?? 1 };
}

interface PlainText {
  /** With one space in place of several, and of a line's end with the mark of a quote behind it. */
  plain: string;
  /** Of each character of it, the number of its line. */
  lines: number[];
}

function plainOf(text: string): PlainText {
  let plain = "";
  const lines: number[] = [];
  for (const [index, line] of text.normalize("NFC").split(/\r?\n/).entries()) {
    const said = line
      .replace(/^[\s>]+/, "")
      .replace(/\s+/gu, " ")
      .trim();
    if (said === "") continue;
    const part = `${plain === "" ? "" : " "}${said.replace(/[“”„«»]/g, '"').replace(/[‘’‚]/g, "'")}`;
    plain += part;
    for (let at = 0; at < part.length; at += 1) lines.push(index + 1);
  }
  return { plain, lines };
}
