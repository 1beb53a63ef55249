/** How an item of a list begins: `3.`, `2.3`, `(1)`, `R1:`, `-`. Pure; every pattern here is linear. */

export interface ListMark {
  kind: "label" | "number" | "bullet";
  /** `R`, `FR`, … before the number of a labelled item. */
  label: string;
  /** `2.3` is [2, 3]; a bullet has no path. */
  path: number[];
  /** Columns before the mark; a tab counts to the next multiple of four. */
  indent: number;
  text: string;
}

const PATH = String.raw`\d{1,4}(?:\.\d{1,4}){0,5}`;
const DOTTED = String.raw`\d{1,4}(?:\.\d{1,4}){1,5}`;
const LABEL = `(R|FR|NFR|REQ)-?(${PATH})`;

const BULLET = /^[-*+•◦‣▪][ \t]+(?:\[[ xX]\][ \t]+)?/;
/** `R1: …`, `FR-1 – …`, `**R1** …`, `[R1] …`: a label is between marks, or before one. */
const LABELLED = new RegExp(
  String.raw`^(?:(?:\*\*|__|\[|\()${LABEL}[:.]?(?:\*\*|__|\]|\))[ \t]*[:.)–—-]?|${LABEL}[ \t]*[:.)–—-])[ \t]+(\S.*)$`,
  "i",
);
const NUMBERED = new RegExp(String.raw`^(\*\*)?(?:\((${PATH})\)|(${PATH})[.):]|(${DOTTED}))(\*\*)?[ \t]+(\S.*)$`);
/** A line of dashes or stars parts sections; it is no item. */
const RULE = /^[-*_](?:[ \t]*[-*_])+$/;

export function readMark(line: string): ListMark | undefined {
  const trimmed = line.trim();
  if (RULE.test(trimmed)) return undefined;
  const bullet = BULLET.exec(trimmed)?.[0] ?? "";
  const text = trimmed.slice(bullet.length);
  const indent = indentOf(line);
  const labelled = LABELLED.exec(text);
  if (labelled) {
    const [, enclosed, enclosedPath, label = enclosed ?? "", path = enclosedPath ?? "", rest = ""] = labelled;
    return { kind: "label", label: label.toUpperCase(), path: numbers(path), indent, text: rest };
  }
  if (bullet) return text ? { kind: "bullet", label: "", path: [], indent, text } : undefined;
  const numbered = NUMBERED.exec(text);
  if (!numbered) return undefined;
  const [, bold, inParentheses, marked, dotted, closed, rest = ""] = numbered;
  const path = numbers(inParentheses ?? marked ?? dotted ?? "");
  // `**1. Title** text` keeps the bold of its title.
  return { kind: "number", label: "", path, indent, text: bold && !closed ? bold + rest : rest };
}

const numbers = (path: string): number[] => path.split(".").map(Number);

export function indentOf(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === " ") columns += 1;
    else if (character === "\t") columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}
