/** The readable forms of a delivered book: one page for a browser, one EPUB for a reader. */
import type { Change } from "../core/ports.ts";
import { createEpub } from "./epub.ts";
import { createHtmlPage } from "./html-page.ts";
import { type Manuscript, readManuscript } from "./manuscript.ts";

export type BookForm = "html" | "epub";

export interface BookRequest extends Manuscript {
  /** The forms become `<name>.html` and `<name>.epub`. */
  name: string;
  forms: BookForm[];
}

/** Nothing where the files hold no chapters. The same files always give the same bytes. */
export function createBook({ name, forms, ...manuscript }: BookRequest): Change[] {
  const book = readManuscript(manuscript);
  if (!book) return [];
  return [...new Set(forms)].map((form) => ({
    path: `${name}.${form}`,
    content: form === "html" ? createHtmlPage(book) : createEpub(book),
  }));
}
