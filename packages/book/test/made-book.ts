/** Books made of a few words, and what came out of them as text. */
import { unzipSync } from "fflate";
import { readProjectFont } from "../../../lib/files/project-fonts.ts";
import { createBook, createScreenBook } from "../book.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const RUN_ID = "01JB2Q3R4S5T6V7W8X9Y0ZABCD";

export type Tree = Record<string, string | Uint8Array>;

export const filesOf = (tree: Tree): Map<string, Uint8Array> =>
  new Map(
    Object.entries(tree).map(([path, content]) => [
      path,
      typeof content === "string" ? encoder.encode(content) : content,
    ]),
  );

export function makeForm(tree: Tree, form: "html" | "epub"): Uint8Array {
  const made = createScreenBook({
    files: filesOf(tree),
    name: "book",
    title: "Given title",
    id: RUN_ID,
    forms: [form],
  });
  const [content] = made.map((change) => change.content);
  if (!content) throw new Error("No book was made.");
  return content;
}

export const makePage = (tree: Tree): string => decoder.decode(makeForm(tree, "html"));

/** The text of the page from its first chapter on. */
export const makeText = (markdown: string, tree: Tree = {}): string =>
  (/<main>\n(.*)<\/main>/s.exec(makePage({ ...tree, "chapters/1.md": markdown })) ?? ["", ""])[1] ?? "";

/** The parts of the EPUB by name, pictures too. */
export const makeEpub = (tree: Tree): Record<string, string> =>
  Object.fromEntries(
    Object.entries(unzipSync(makeForm(tree, "epub"))).map(([name, content]) => [name, decoder.decode(content)]),
  );

/** The book in all forms; `pdf` is empty where none was made. */
export async function makePdf(tree: Tree): Promise<{ pdf: Uint8Array; paths: string[]; notes: string[] }> {
  const request = { files: filesOf(tree), name: "book", title: "Given title", id: RUN_ID, readFont: readProjectFont };
  const { files, notes } = await createBook({ ...request, forms: ["html", "epub", "pdf"] });
  const pdf = files.find(({ path }) => path === "book.pdf")?.content ?? new Uint8Array();
  return { pdf, paths: files.map(({ path }) => path), notes };
}
