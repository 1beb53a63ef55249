/** Decides whether a book can be printed as a PDF, and says what of it cannot. */
import type { Book } from "../manuscript.ts";
import type { ReadFont } from "./faces.ts";
import { createPdf } from "./pdf.ts";

export interface PrintedBook {
  content?: Uint8Array;
  note?: string;
}

/** About 800 pages. A function of 512 MB lays out no more. */
const BYTES_AT_MOST = 1_500_000;
/** A book with more of its characters missing than this is in a script that the fonts do not have. */
const MISSING_AT_MOST = 0.05;

/** A book is delivered in its other forms, whatever happens here. */
export async function printBook(book: Book, readFont: ReadFont): Promise<PrintedBook> {
  const { language, bytes } = book;
  if (language.direction === "rtl")
    return { note: noPdf(`it cannot set text from right to left, as the language ${language.code} is written`) };
  if (bytes > BYTES_AT_MOST)
    return {
      note: noPdf(`the book has ${Math.ceil(bytes / 1000)} KB of text; ${BYTES_AT_MOST / 1000} KB is the limit`),
    };
  try {
    return judge(await createPdf(book, readFont), bytes);
  } catch (error) {
    return { note: noPdf(error instanceof Error ? error.message : String(error)) };
  }
}

function judge(
  { content, missing }: { content: Uint8Array; missing: Map<string, number> },
  bytes: number,
): PrintedBook {
  const count = [...missing.values()].reduce((sum, each) => sum + each, 0);
  if (count === 0) return { content };
  const named = describe(missing);
  if (count * 3 > bytes * MISSING_AT_MOST)
    return { note: noPdf(`its fonts lack too many of the characters: ${named}`) };
  const which =
    count === 1
      ? "1 character as a box, because its fonts lack it"
      : `${count} characters as boxes, because its fonts lack them`;
  return { content, note: `The PDF shows ${which}: ${named}.` };
}

const noPdf = (reason: string): string => `No PDF was made: ${reason}.`;

const NAMED = 10;

/** The most frequent first. */
function describe(missing: Map<string, number>): string {
  const characters = [...missing].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([character]) => character);
  const more = characters.length > NAMED ? ` and ${characters.length - NAMED} others` : "";
  return characters.slice(0, NAMED).map(visible).join(" ") + more;
}

const visible = (character: string): string =>
  /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)
    ? character
    : `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
