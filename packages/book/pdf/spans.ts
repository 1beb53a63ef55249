/** Stretches of text that look alike, and what they lead to. */
import type { Picture } from "../images.ts";

export interface Style {
  bold?: boolean;
  italic?: boolean;
  mono?: boolean;
  strike?: boolean;
  underline?: boolean;
  raise?: "sup" | "sub";
  small?: boolean;
  link?: Link;
  /** The id that links find this text by. */
  mark?: string;
}

export type Link = { url: string } | { place: string };

export interface PrintedPicture extends Picture {
  width: number;
  height: number;
}

export type Span =
  | { kind: "text"; text: string; style: Style }
  | { kind: "break" }
  | { kind: "picture"; picture: PrintedPicture };

/** The style within marks such as `<b>` and `</b>`, by the names of their elements. */
export const MARKUP: Record<string, Style> = {
  b: { bold: true },
  strong: { bold: true },
  i: { italic: true },
  em: { italic: true },
  cite: { italic: true },
  u: { underline: true },
  ins: { underline: true },
  s: { strike: true },
  del: { strike: true },
  small: { small: true },
  sup: { raise: "sup" },
  sub: { raise: "sub" },
  kbd: { mono: true },
  code: { mono: true },
};
