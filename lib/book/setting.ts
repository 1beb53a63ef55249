/** How a chapter is set: what the forms of a book decide for themselves. */
import type { Chapter } from "./chapter.ts";
import type { Typeset } from "./typography.ts";

export interface Setting {
  chapter: Chapter;
  /** The level of the chapter's own heading. */
  level: number;
  typeset: Typeset;
  /** The address of what a link names, or undefined: then only its text is shown. */
  link(href: string): string | undefined;
  /** The address of a picture, or undefined: then its description is shown. */
  picture(href: string): string | undefined;
  /** The attribute by which readers of EPUB know references and notes, to show them in place. */
  epubType(type: "noteref" | "footnote"): string;
  /** The notes that the text so far refers to, by label, with the numbers that readers see. */
  noted: Map<string, number>;
}
