/** Which parts of an edited program are stale, worked out from its words alone: nothing of the machine is asked. Pure. */

/** `write PATH words… from PATHS`; of the words, `listing` lists all files, and `checked` runs the checks first. */
export interface Part {
  text: string;
  requirements: string[];
}

export interface Edited {
  parts: Part[];
  /** The text of each requirement. */
  requirements: Map<string, string>;
}

export const pathOf = (text: string): string => text.split(" ")[1] ?? "";
export const sourcesIn = (text: string): string[] => / from (.*)/.exec(text)?.[1]?.split(" ") ?? [];
export const isListing = (text: string): boolean => / listing\b/.test(text);
export const isChecked = (text: string): boolean => / checked\b/.test(text);

/** The line, so that a file says what it was made of. A text holds what was shown, too: no check would notice that it is stale. */
export const contentOf = (text: string, shown: string[]): string =>
  `${(isText(text) ? [text, ...shown] : [text]).join("\n")}\n`;

const isText = (text: string): boolean => pathOf(text).endsWith(".txt");

export const hasSources = (text: string, before: Part[]): boolean =>
  sourcesIn(text).every((path) => before.some((each) => pathOf(each.text) === path));

/** `write`: what a step that is executed writes. */
export function staleParts(before: Edited, now: Edited, write = contentOf): Set<string> {
  const sights = new Map<string, string>();
  const was: Tree = new Map();
  for (const { text } of before.parts) {
    sights.set(text, sightOf(text, was));
    was.set(pathOf(text), contentOf(text, shownOf(text, was)));
  }
  const stale = new Set<string>();
  const tree: Tree = new Map();
  for (const part of now.parts) {
    const { text } = part;
    const sawOther = isText(text) && sights.get(text) !== sightOf(text, tree);
    const isStale = sawOther || isAskedOtherwise(part, before, now);
    if (isStale) stale.add(text);
    tree.set(pathOf(text), (isStale ? write : contentOf)(text, shownOf(text, tree)));
  }
  return stale;
}

type Tree = Map<string, string>;

/** What of the files decides what a text says. What its checks read is not known: it is all of them. */
const sightOf = (text: string, tree: Tree): string =>
  JSON.stringify([shownOf(text, tree), isChecked(text) ? [...tree].toSorted() : []]);

function shownOf(text: string, tree: Tree): string[] {
  const read = sourcesIn(text).flatMap((path) => tree.get(path)?.trimEnd().split("\n") ?? [`${path} is not there`]);
  const listed = [...tree].toSorted().map(([path, content]) => `${path} (${content.length} bytes`);
  return [...read, ...(isListing(text) ? listed : [])];
}

/** A text says the same at any position. What no instruction serves may concern any of them. */
const isAskedOtherwise = ({ text, requirements }: Part, before: Edited, now: Edited): boolean =>
  unserved(before) !== unserved(now) ||
  !before.parts.some(
    (part) =>
      part.text === text &&
      part.requirements.join() === requirements.join() &&
      requirements.every((id) => before.requirements.get(id) === now.requirements.get(id)),
  );

const unserved = ({ parts, requirements }: Edited): string =>
  JSON.stringify([...requirements].filter(([id]) => !parts.some((part) => part.requirements.includes(id))));
