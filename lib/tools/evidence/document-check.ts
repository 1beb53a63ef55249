/** What `prove` is asked to find in documents, in the run's form, or what is wrong with it. */
import { defined } from "../../core/defined.ts";
import {
  type Count,
  type DocumentCheck,
  isDocument,
  type Passage,
} from "../../core/evidence/documents/document-check.ts";
import { PASSAGE_WORDS } from "../../core/evidence/documents/passage-lines.ts";
import { wordsOfText } from "../../core/prose/book-text.ts";
import { checkedPaths } from "../known-paths.ts";

interface GivenDocuments {
  passages: Passage[];
  counts: { of: Count["of"]; path?: string | undefined; least?: number | undefined; most?: number | undefined }[];
  links: string[];
}

export function documentCheck(given: GivenDocuments): DocumentCheck | { problem: string; finding: string } {
  const named = [...given.passages, ...given.counts, ...given.links.map((path) => ({ path }))];
  const checked = checkedPaths(named.flatMap(({ path }) => (path === undefined ? [] : [path])));
  if ("problem" in checked) return refused(checked.problem);
  const other = checked.paths.find((path) => !isDocument(path));
  if (other !== undefined) return refused(`${other} is no document: what code does is proven by tests.`);
  const short = given.passages.find(({ words }) => wordsOfText(words).length < PASSAGE_WORDS);
  if (short) return refused(`${JSON.stringify(short.words)} is too short: quote ${PASSAGE_WORDS} words at least.`);
  if (given.counts.some(({ least, most }) => least === undefined && most === undefined))
    return refused("A count names `least`, `most` or both.");
  if (given.counts.some(({ of, path }) => of === "chapters" && path !== undefined))
    return refused("Chapters are counted in the whole book: leave `path` out.");
  const paths = [...checked.paths];
  const next = (path: string | undefined) => (path === undefined ? undefined : paths.shift());
  const passages = given.passages.map(({ path, words }) => ({ path: next(path) ?? path, words }));
  const counts = given.counts.map(({ of, path, least, most }) => ({
    of,
    ...defined({ path: next(path), least, most }),
  }));
  const links = given.links.map((path) => next(path) ?? path);
  return {
    ...(passages.length > 0 ? { passages } : {}),
    ...(counts.length > 0 ? { counts } : {}),
    ...(links.length > 0 ? { links } : {}),
  };
}

const refused = (why: string) => ({ problem: `Nothing is proven. ${why}`, finding: "bad arguments" });
