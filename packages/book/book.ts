/** The readable forms of a delivered book: a page for a browser, an EPUB for a reader, a PDF for paper. */
import type { Change } from "../../lib/core/ports.ts";
import { createEpub } from "./epub.ts";
import { createHtmlPage } from "./html-page.ts";
import { type Book, type Manuscript, readManuscript } from "./manuscript.ts";
import type { ReadFont } from "./pdf/faces.ts";

/** For screens; `pdf` is for paper. */
export type ScreenForm = "html" | "epub";
export type BookForm = ScreenForm | "pdf";

interface Named<Form> extends Manuscript {
  /** The forms become `<name>.html`, `<name>.epub` and `<name>.pdf`. */
  name: string;
  forms: Form[];
}

export interface DeliveredBook {
  files: Change[];
  /** What readers of the forms should know, in sentences. */
  notes: string[];
}

/** Nothing where the files hold no chapters. The same files always give the same bytes. */
export async function createBook(request: Named<BookForm> & { readFont: ReadFont }): Promise<DeliveredBook> {
  const { name, forms, readFont, ...manuscript } = request;
  const book = readManuscript(manuscript);
  if (!book) return { files: [], notes: [] };
  const files = screenForms(book, name, forms);
  if (!forms.includes("pdf")) return { files, notes: [] };
  // Of all of this, only the PDF needs the library that writes it.
  const { content, note } = await (await import("./pdf/print-book.ts")).printBook(book, readFont);
  return {
    files: [...files, ...(content ? [{ path: `${name}.pdf`, content }] : [])],
    notes: note ? [note] : [],
  };
}

export function createScreenBook({ name, forms, ...manuscript }: Named<ScreenForm>): Change[] {
  const book = readManuscript(manuscript);
  return book ? screenForms(book, name, forms) : [];
}

function screenForms(book: Book, name: string, forms: BookForm[]): Change[] {
  const make = { html: createHtmlPage, epub: createEpub };
  return (["html", "epub"] as const)
    .filter((form) => forms.includes(form))
    .map((form) => ({ path: `${name}.${form}`, content: make[form](book) }));
}
