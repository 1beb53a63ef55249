/** What limits how a task is done, read from its lists without a model: no instruction serves it. Pure. */
import { ellipsis } from "../text/cut.ts";
import { isConstraint, saysConstraint } from "./constraint-lists.ts";
import { type ListItem, readItems } from "./list-items.ts";

export interface Constraint {
  /** `C1` */
  id: string;
  text: string;
}

const CONSTRAINTS = 100;
const CONSTRAINT_CHARS = 500;
const OWN_LABEL = /^(?:\*\*)?(C\d{1,4})(?:\*\*)?[ \t]*[:.)–—-](?:\*\*)?[ \t]+/;

/** Labels of their own (`C2: …`) are kept; the others take the numbers that are left, in order. */
export function extractConstraints(task: string): Constraint[] {
  const items = limitsIn(readItems(task)).slice(0, CONSTRAINTS).map(wordsOf);
  const taken = new Set<string>();
  const labelled = items.map(({ label, ...item }) => {
    const id = label !== undefined && !taken.has(label) ? label : undefined;
    if (id !== undefined) taken.add(id);
    return { ...item, id };
  });
  let last = 0;
  const next = (): string => {
    do last += 1;
    while (taken.has(`C${last}`));
    return `C${last}`;
  };
  return labelled.map(({ id, text }) => ({ id: id ?? next(), text }));
}

interface Limit {
  item: ListItem;
  /** The short line that says that it is one. */
  about: string;
}

/** Of a list under such a heading, its items; of an item that introduces such a list, what is below it. */
const limitsIn = (items: ListItem[]): Limit[] =>
  items.filter(isConstraint).flatMap((item): Limit[] => {
    const { children, lines, under } = item;
    const about = under.findLast(saysConstraint);
    if (about !== undefined) return [{ item, about }];
    return children.map((child) => ({ item: child, about: lines.join(" ") }));
  });

function wordsOf({ item, about }: Limit): { label: string | undefined; text: string } {
  const whole = textOf(item);
  const label = OWN_LABEL.exec(whole);
  const text = label ? whole.slice(label[0].length) : whole;
  const heading = plainHeading(about);
  return { label: label?.[1], text: ellipsis(PLAIN.test(heading) ? text : `${heading}: ${text}`, CONSTRAINT_CHARS) };
}

const PLAIN = /^(?:\w+ )?constraints?$/i;

const textOf = ({ lines, children }: ListItem): string =>
  [lines.join(" "), ...children.map(textOf)].join("; ").replace(/\s+/g, " ").trim();

const plainHeading = (line: string): string =>
  line
    .replace(/[*_`#]/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/(?<![:.–—-])[:.–—-]+$/, "")
    .trim();
