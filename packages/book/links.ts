/** Where a link in a chapter leads: to the web, to a place in the book, or nowhere. */
import { posix } from "node:path";
import type { Chapter } from "./chapter.ts";

export interface LinkTarget {
  chapter: Chapter;
  id: string;
}

/** An address that is written once can be referred to anywhere: this bounds what all of them add to a book. */
const ADDRESS_CHARACTERS_AT_MOST = 4_000_000;

/** An address is only passed on if a reader may follow it without a thought: never a script, never a file. */
export function webAddresses(): (href: string) => string | undefined {
  let characters = 0;
  return (href) => {
    if (!/^(?:https?|mailto):/i.test(href) || !URL.canParse(href)) return undefined;
    const address = written(new URL(href));
    characters += address.length;
    return characters <= ADDRESS_CHARACTERS_AT_MOST ? address : undefined;
  };
}

/** Stricter than browsers are: readers of EPUB want every other character escaped. A name and password are left out. */
function written({ protocol, host, pathname, search, hash }: URL): string {
  const rest = escaped(pathname + search) + (hash && `#${escaped(hash.slice(1))}`);
  return protocol === "mailto:" ? `${protocol}${rest}` : `${protocol}//${host}${rest}`;
}

const escaped = (part: string): string =>
  part.replace(/%(?![\da-f]{2})|[^\w\-.~!$&'()*+,;=:@/?%]/gi, encodeURIComponent);

/** Finds places by links such as `02-the-night.md#at-the-gate`, from the chapter's folder or from the top. */
export function placeFinder(chapters: Chapter[]): (href: string, from: Chapter) => LinkTarget | undefined {
  const byPath = new Map(chapters.map((chapter) => [chapter.path, chapter]));
  return (href, from) => {
    const [file = "", fragment = ""] = href.split("#", 2).map(decoded);
    const chapter = file === "" ? from : (byPath.get(pathFrom(from.path, file)) ?? byPath.get(file));
    return chapter && { chapter, id: chapter.anchors.get(fragment.toLowerCase()) ?? chapter.id };
  };
}

/** The path of the tree that a reference in a file means; one that leaves the tree names no file. */
export const pathFrom = (file: string, reference: string): string =>
  reference.startsWith("/")
    ? posix.normalize(reference.slice(1))
    : posix.normalize(posix.join(posix.dirname(file), reference));

/** As written, where its escapes are broken. */
export function decoded(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}
