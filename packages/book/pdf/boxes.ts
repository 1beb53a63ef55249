/** Words as boxes: what a line holds side by side, and where it may end. */
import type { Face, Faces } from "./faces.ts";
import type { Span, Style } from "./spans.ts";

export interface Piece {
  text: string;
  face: Face;
  size: number;
  /** Above the line of the text, in points. */
  rise: number;
  width: number;
  style: Style;
}

export interface Box {
  pieces: Piece[];
  width: number;
  /** The width of the space after it, or 0. */
  space: number;
  /** Whether a line must end after it. */
  ends: boolean;
}

export interface Type {
  size: number;
  bold?: boolean;
  italic?: boolean;
}

/** Spaces at which a line may end, and places within words where it may: after a hyphen, a dash or a slash. */
const SPACES = /([ \t\n\r\f\u2000-\u2006\u2008-\u200a\u205f\u3000]+)/u;
const WITHIN = /(?<=[\p{L}\p{N}.][-‐–—/])(?=[\p{L}\p{N}])|(?<=—)(?=[\p{L}\p{N}])/u;

export function boxesOf(spans: Span[], type: Type, faces: Faces): Box[] {
  const boxes: Box[] = [];
  let pieces: Piece[] = [];
  const close = (space: number, ends = false): void => {
    const last = boxes.at(-1);
    if (pieces.length > 0) boxes.push({ pieces, width: widthOf(pieces), space, ends });
    else if (last && ends) boxes.push({ pieces: [], width: 0, space: 0, ends });
    else if (last && last.space === 0) last.space = space;
    pieces = [];
  };
  for (const span of spans) {
    if (span.kind === "break") close(0, true);
    if (span.kind !== "text") continue;
    for (const part of span.text.split(SPACES)) {
      if (part === "") continue;
      if (SPACES.test(part)) {
        close(spaceOf(span.style, type, faces));
        continue;
      }
      for (const [at, word] of part.split(WITHIN).entries()) {
        if (at > 0) close(0);
        pieces.push(...piecesOf(word, span.style, { type, faces }));
      }
    }
  }
  close(0);
  return boxes;
}

const widthOf = (pieces: Piece[]): number => pieces.reduce((sum, { width }) => sum + width, 0);

const spaceOf = (style: Style, type: Type, faces: Faces): number =>
  faces.width(" ", faceOf(style, type)) * sizeOf(style, type);

export function piecesOf(text: string, style: Style, { type, faces }: { type: Type; faces: Faces }): Piece[] {
  const size = sizeOf(style, type);
  const rise = style.raise === "sup" ? type.size * 0.35 : style.raise === "sub" ? type.size * -0.15 : 0;
  return faces
    .split(text, faceOf(style, type))
    .map((part) => ({ ...part, size, rise, width: faces.width(part.text, part.face) * size, style }));
}

function faceOf(style: Style, type: Type): Face {
  if (style.mono) return "mono";
  const bold = style.bold || type.bold;
  // Emphasis within what is set in italics is upright.
  const italic = Boolean(style.italic) !== Boolean(type.italic);
  if (bold) return italic ? "serif-bold-italic" : "serif-bold";
  return italic ? "serif-italic" : "serif";
}

const sizeOf = (style: Style, { size }: Type): number =>
  size * (style.raise ? 0.68 : style.small ? 0.85 : style.mono ? 0.86 : 1);

/** Boxes that are wider than a line are cut into those that fit. */
export function fitBoxes(boxes: Box[], width: number, faces: Faces): Box[] {
  return boxes.flatMap((box) => (box.width <= width ? [box] : cut(box, width, faces)));
}

function cut({ pieces, space, ends }: Box, width: number, faces: Faces): Box[] {
  const rows = cutWide(pieces, { first: width, others: width }, faces);
  return rows.map((row, at) => {
    const isLast = at === rows.length - 1;
    return { pieces: row, width: widthOf(row), space: isLast ? space : 0, ends: isLast && ends };
  });
}

/** Cuts pieces into rows of at most the width, the first one and the others. A letter keeps its accents. */
export function cutWide(pieces: Piece[], widths: { first: number; others: number }, faces: Faces): Piece[][] {
  const rows: Piece[][] = [[]];
  let used = 0;
  for (const piece of pieces) {
    for (const { segment: text } of graphemes.segment(piece.text)) {
      const width = faces.width(text, piece.face) * piece.size;
      if (used + width > (rows.length === 1 ? widths.first : widths.others) && used > 0) {
        rows.push([]);
        used = 0;
      }
      used += width;
      extend(rows.at(-1) ?? [], { ...piece, text, width });
    }
  }
  return rows;
}

function extend(row: Piece[], piece: Piece): void {
  const last = row.at(-1);
  if (last?.style !== piece.style || last.face !== piece.face) row.push(piece);
  else row[row.length - 1] = { ...last, text: last.text + piece.text, width: last.width + piece.width };
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
