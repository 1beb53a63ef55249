/** What a task asks for, read from its lists without a model, and which of it a program serves. Pure. */
import { isConstraint } from "./constraint-lists.ts";
import { type ListItem, readLists } from "./list-items.ts";
import type { DraftInstruction, Requirement } from "./program.ts";

/** Each is an item of the registry, and all of them are read by the planning model. */
const REQUIREMENTS = 2_000;
const REQUIREMENT_CHARS = 4_000;

/**
 * Numbered items keep their numbers (`3.` is R3, `2.3` is R2.3, what is nested under 2 is R2.1, R2.2 …). Where a second
 * list begins at 1 again, its items take the next free numbers; bullets take what the numbers have left. Only a label
 * that the text itself gives twice is a problem: it is unknown which of the two is meant.
 */
export function extractRequirements(task: string): Requirement[] | { problem: string } {
  const roots = readLists(task).filter((item) => !isConstraint(item));
  const all = roots.flatMap(withDescendants).sort((a, b) => a.line - b.line);
  if (all.length > REQUIREMENTS) {
    return { problem: `The task lists ${all.length} requirements; at most ${REQUIREMENTS} can be kept apart.` };
  }
  const twice = labelTwice(all);
  if (twice) return { problem: twice };
  const ids = assignIds(roots, all);
  return all.map((item) => ({ id: ids.get(item) ?? "", text: requirementText(item) }));
}

/** A requirement is served where an instruction names it or one above it, or where all those below it are served. */
export function uncovered(
  requirements: Requirement[],
  instructions: Pick<DraftInstruction, "requirements">[],
): Requirement[] {
  const named = new Set(instructions.flatMap((instruction) => instruction.requirements));
  const parts = Map.groupBy(requirements, ({ id }) => parentOf(id));
  const isNamed = (id: string): boolean => id !== "" && (named.has(id) || isNamed(parentOf(id)));
  const isServed = (id: string): boolean => {
    const below = parts.get(id) ?? [];
    return isNamed(id) || (below.length > 0 && below.every((part) => isServed(part.id)));
  };
  return requirements.filter(({ id }) => !isServed(id));
}

/** `R2` of `R2.1`; empty of `R2`. */
export const parentOf = (id: string): string => (id.includes(".") ? id.slice(0, id.lastIndexOf(".")) : "");

const withDescendants = (item: ListItem): ListItem[] => [item, ...item.children.flatMap(withDescendants)];

const labelOf = ({ mark }: ListItem): string => `${mark.label}${mark.label === "R" ? "" : "-"}${mark.path.join(".")}`;

function labelTwice(items: ListItem[]): string | undefined {
  const first = new Map<string, number>();
  for (const item of items) {
    if (item.mark.kind !== "label") continue;
    const before = first.get(labelOf(item));
    if (before !== undefined) {
      return `${labelOf(item)} is in the task twice, in line ${before} and in line ${item.line}; give one of them another number.`;
    }
    first.set(labelOf(item), item.line);
  }
  return undefined;
}

/** Labels first, then numbers, then bullets: the more a text says about its numbering, the more of it is kept. */
function assignIds(roots: ListItem[], all: ListItem[]): Map<ListItem, string> {
  const ids = new Map<ListItem, string>();
  const numbering = createNumbering();
  for (const item of all) {
    if (item.mark.kind !== "label") continue;
    const id = numbering.take(item.mark.path);
    if (id) ids.set(item, id);
  }
  const assign = (items: ListItem[], prefix: number[], depth: number): void => {
    const open = items.filter((item) => !ids.has(item));
    const marked = open.filter((item) => item.mark.kind !== "bullet");
    for (const item of [...marked, ...open.filter((other) => other.mark.kind === "bullet")]) {
      const { path } = item.mark;
      const wished = depth === 0 ? path : [...prefix, ...path.slice(-1)];
      const kept = path.length > 0 ? numbering.take(wished) : undefined;
      ids.set(item, kept ?? numbering.takeNext(depth === 0 ? path.slice(0, -1) : prefix));
    }
    for (const item of items) assign(item.children, pathOf(ids.get(item) ?? ""), depth + 1);
  };
  assign(roots, [], 0);
  return ids;
}

const pathOf = (id: string): number[] => id.slice(1).split(".").map(Number);

function createNumbering() {
  const taken = new Set<string>();
  const highest = new Map<string, number>();
  const take = (path: number[]): string | undefined => {
    const id = `R${path.join(".")}`;
    if (taken.has(id)) return undefined;
    taken.add(id);
    path.forEach((part, depth) => {
      const prefix = path.slice(0, depth).join(".");
      highest.set(prefix, Math.max(part, highest.get(prefix) ?? 0));
    });
    return id;
  };
  const takeNext = (prefix: number[]): string => {
    const next = [...prefix, (highest.get(prefix.join(".")) ?? 0) + 1];
    // Above the highest nothing is taken.
    return take(next) ?? `R${next.join(".")}`;
  };
  return { take, takeNext };
}

export function requirementText(item: ListItem): string {
  const { label } = item.mark;
  // The task may speak of `FR-1` elsewhere.
  const own = label && label !== "R" ? `${labelOf(item)}: ` : "";
  const text = own + item.lines.join(" ").replace(/\s+/g, " ").trim();
  return text.length <= REQUIREMENT_CHARS ? text : `${text.slice(0, REQUIREMENT_CHARS - 1).toWellFormed()}…`;
}
