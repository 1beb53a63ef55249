/** Names that change their spelling: one that is seen often, and once or twice another that differs by one letter. Pure. */
import type { Finding } from "../../core/verdict/verdict.ts";
import type { ProseFile } from "./book-text.ts";

const OFTEN = 5;
const RARELY = 2;
const NAME_LETTERS = 5;
const WARNINGS = 10;
/** A book has hundreds of names; what has more is a list. */
const NAMES = 2_000;

interface Seen {
  count: number;
  path: string;
  line: number;
}

export function changedNames(files: ProseFile[], judged: (path: string) => boolean): Finding[] {
  const { names, words } = seenIn(files);
  const own = [...names].filter(([name]) => !words.has(name.toLowerCase())).slice(0, NAMES);
  const often = own.filter(([, { count }]) => count >= OFTEN);
  return own
    .filter(([, { count, path }]) => count <= RARELY && judged(path))
    .flatMap(([name, { path, line }]) => {
      const twin = often.find(([other, { count }]) => count >= OFTEN && areTwins(name, other));
      if (!twin) return [];
      const message = `"${name}" stands here, and "${twin[0]}" ${twin[1].count} times: is it the same name?`;
      return [{ path, line, message, rule: "name" }];
    })
    .slice(0, WARNINGS);
}

/** A capital within a sentence makes a name, but not of a word that is also written small. */
function seenIn(files: ProseFile[]): { names: Map<string, Seen>; words: Set<string> } {
  const names = new Map<string, Seen>();
  const words = new Set<string>();
  for (const { path, lines } of files)
    for (const { text, number, kind } of lines) {
      if (kind === "code" || kind === "heading") continue;
      for (const [word] of text.matchAll(/\p{L}+/gu)) {
        if (word === word.toLowerCase()) words.add(word);
        else if (/^\p{Lu}\p{Ll}+$/u.test(word) && word.length >= NAME_LETTERS) {
          const seen = names.get(word) ?? { count: 0, path, line: number };
          names.set(word, { ...seen, count: seen.count + 1 });
        }
      }
    }
  return { names, words };
}

/** A letter at the end makes another word of it: German and Germany, Roman and Romans. */
function areTwins(one: string, other: string): boolean {
  if (one[0] !== other[0] || Math.abs(one.length - other.length) > 1) return false;
  if (one.startsWith(other) || other.startsWith(one)) return false;
  let at = 0;
  while (one[at] === other[at]) at += 1;
  const [rest, otherRest] = [one.slice(at), other.slice(at)];
  if (one.length !== other.length)
    return one.length > other.length ? rest.slice(1) === otherRest : rest === otherRest.slice(1);
  const isSwapped = rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2);
  // The last letter alone is an ending: Maria and Marie, Julian and Julius are two.
  return isSwapped || (rest.length > 1 && rest.slice(1) === otherRest.slice(1));
}
