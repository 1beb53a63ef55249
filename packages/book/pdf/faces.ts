/** The fonts of a PDF: which of them draws a character, and how wide text is. */
import type PDFDocument from "pdfkit";

export type Face = "serif" | "serif-italic" | "serif-bold" | "serif-bold-italic" | "mono" | "math" | "symbols";

/** Reads a file of the folder `fonts`. */
export type ReadFont = (file: string) => Promise<Uint8Array>;

export interface FacedText {
  text: string;
  face: Face;
}

export interface Faces {
  /** The text in parts that one font can draw each. */
  split(text: string, face: Face): FacedText[];
  /** In points, at a size of one point. */
  width(text: string, face: Face): number;
  /** The characters that no font has, with how often each was met. */
  missing: Map<string, number>;
}

const FACES: Face[] = ["serif", "serif-italic", "serif-bold", "serif-bold-italic", "mono", "math", "symbols"];
const FALLBACKS: Face[] = ["math", "symbols", "mono"];

/** Printed for a character that no font has. */
const BOX: FacedText = { text: "▯", face: "mono" };
/** Joiners and selectors: they change how others look, and have no look of their own. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu;

export async function openFaces(document: typeof PDFDocument.prototype, readFont: ReadFont): Promise<Faces> {
  for (const face of FACES) document.registerFont(face, Buffer.from(await readFont(`${face}.ttf`)));
  const known = new Map<Face, Set<number>>();
  const has = (face: Face, character: string): boolean => {
    // Most books need two or three of the fonts: the others are never opened.
    const all = known.get(face) ?? charactersOf(document.font(face));
    known.set(face, all);
    return all.has(character.codePointAt(0) ?? 0);
  };
  const missing = new Map<string, number>();
  const widths = new Map<string, number>();

  const draw = (character: string, face: Face): FacedText => {
    const found = [face, ...FALLBACKS].find((each) => has(each, character));
    if (found) return { text: character, face: found };
    missing.set(character, (missing.get(character) ?? 0) + 1);
    return BOX;
  };
  const splits = new Map<string, FacedText[]>();
  const split = (text: string, face: Face): FacedText[] => {
    const printed = text.normalize("NFC").replace(INVISIBLE, "");
    return joined(Array.from(printed, (character) => draw(character, face)));
  };
  return {
    missing,
    // Words come again and again, but a missing character counts each time.
    split(text, face) {
      const key = `${face} ${text}`;
      const parts = splits.get(key) ?? split(text, face);
      if (!parts.some((part) => part.text.includes(BOX.text))) splits.set(key, parts);
      return parts;
    },
    width(text, face) {
      const key = `${face} ${text}`;
      const width = widths.get(key) ?? document.font(face).fontSize(1).widthOfString(text);
      widths.set(key, width);
      return width;
    },
  };
}

function joined(characters: FacedText[]): FacedText[] {
  const parts: FacedText[] = [];
  for (const { text, face } of characters) {
    const last = parts.at(-1);
    if (last?.face === face) parts[parts.length - 1] = { text: last.text + text, face };
    else parts.push({ text, face });
  }
  return parts;
}

/** The library's types do not show the font that it has opened. */
const charactersOf = (document: object): Set<number> =>
  new Set((document as { _font: { font: { characterSet: number[] } } })._font.font.characterSet);
