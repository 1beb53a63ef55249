/** What a check says of documents: words that must be in them, how long they are, and that their links resolve. Pure. */
import * as z from "zod";
import { chapterPaths } from "../../program/chapter-files.ts";
import { isCountOf } from "./asked-counts.ts";
import { askedDocuments } from "./asked-documents.ts";

/** Words that must be in the file; line ends and the kind of quotation marks make no difference. */
const Passage = z.object({ path: z.string(), words: z.string() });
export type Passage = z.infer<typeof Passage>;

/** Of one file, or of all chapters together. */
const Count = z.object({
  of: z.enum(["words", "headings", "chapters"]),
  path: z.string().optional(),
  least: z.int().nonnegative().optional(),
  most: z.int().nonnegative().optional(),
});
export type Count = z.infer<typeof Count>;

export const documentFields = {
  passages: z.array(Passage).optional(),
  counts: z.array(Count).optional(),
  /** Files all of whose links and references must resolve. */
  links: z.array(z.string()).optional(),
};

export const DocumentCheck = z.object(documentFields);
export type DocumentCheck = z.infer<typeof DocumentCheck>;

/** Whether l2mac reads documents for it, and executes nothing. */
export const isOfDocuments = ({ passages = [], counts = [], links = [] }: DocumentCheck): boolean =>
  passages.length + counts.length + links.length > 0;

/** `passage`: what it shows at best. */
export const kindOfDocumentCheck = ({ passages = [], counts = [] }: DocumentCheck): "passage" | "count" | "links" =>
  passages.length > 0 ? "passage" : counts.length > 0 ? "count" : "links";

/** `chapters/01-a.md "It rained.", 900 to 1200 words in chapters/02-b.md, links of README.md` */
export const documentCheckText = ({ passages = [], counts = [], links = [] }: DocumentCheck): string =>
  [
    ...passages.map(({ path, words }) => `${path} ${JSON.stringify(words)}`),
    ...counts.map(countText),
    ...(links.length > 0 ? [`links of ${links.join(", ")}`] : []),
  ].join(", ");

const countText = ({ of, path, ...bounds }: Count): string =>
  `${boundsText(bounds)} ${of} in ${path ?? (of === "chapters" ? "the book" : "all chapters")}`;

export function boundsText({ least, most }: Pick<Count, "least" | "most">): string {
  if (least === undefined) return `at most ${most ?? 0}`;
  return most === undefined ? `at least ${least}` : least === most ? `${least}` : `${least} to ${most}`;
}

export const isDocument = (path: string): boolean =>
  /\.(?:md|markdown|txt|rst|adoc)$|(?:^|\/)(?:LICENSE|NOTICE)$/i.test(path);

/** Beside the text: no reader sees it. */
export const isOfAuthor = (path: string): boolean => /^(?:outline\.md|notes\/.*|notes\.md)$/i.test(path);

const SPEAKS_OF_LINKS = /\b(?:links?|linked|references?|refers?|urls?|footnotes?)\b/i;

/** By its words. In a run that writes code, what a text says proves no other requirement. */
export const asksForDocument = (requirement: string): boolean => askedDocuments(requirement).length > 0;

export interface AskedRequirement {
  text: string;
  /** The prompt pack runs no tests: texts are the work. */
  isOfTexts: boolean;
  /** Of all files of the tree. */
  paths: readonly string[];
}

/** Why the check proves no such requirement; undefined: it may. */
export function whyNoProof(check: DocumentCheck, { text, isOfTexts, paths }: AskedRequirement): string | undefined {
  const asked = askedDocuments(text);
  if (!isOfTexts && asked.length === 0)
    return "the requirement asks for no document, and what a text says proves nothing else";
  const { passages = [], counts = [], links = [] } = check;
  const read = [...passages.map(({ path }) => path), ...counts.map(({ path }) => path), ...links];
  const isAsked = (path: string): boolean => asked.some((fits) => fits(path));
  if (!isOfTexts) {
    const other = read.find((path) => path === undefined || !isAsked(path));
    if (read.includes(undefined)) return "the requirement asks for a document, and not for chapters";
    if (other !== undefined) return `${other} is not the document that the requirement asks for`;
  } else {
    const chapters = chapterPaths([...paths]);
    const other = read.find(
      (path) => path !== undefined && !chapters.includes(path) && !isAsked(path) && !isNamedIn(text, path),
    );
    if (other !== undefined && isOfAuthor(other)) return `${other} is for the author, and no reader sees it`;
    if (other !== undefined) return `${other} is no chapter, and the requirement does not name it`;
  }
  if (passages.length > 0) return undefined;
  if (counts.length > 0)
    return counts.every((count) => isCountOf(text, count))
      ? undefined
      : "a count proves only a requirement that names its number and what is counted";
  return SPEAKS_OF_LINKS.test(text) ? undefined : "links prove only a requirement that asks for links or references";
}

/** By its path, or as the outline. */
const isNamedIn = (text: string, path: string): boolean =>
  text.split(/[\s`"'“”(),;:]+/).some((word) => word.replace(/\.$/, "") === path) ||
  (path === "outline.md" && /^the outline\b/i.test(text));
