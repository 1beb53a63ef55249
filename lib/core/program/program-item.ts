/** One instruction as people write it: title, text and the requirements it serves, and the form all of them take. Pure. */
import { type DraftInstruction, titleOf, type WordRange } from "./program.ts";

const ID = /^R\d+(?:\.\d+)*$/;

/**
 * An item without its mark, outer indentation taken off: a bold beginning or the first line is the title, the rest the
 * text, and `(R1, R2.3)` or `[R1]` at the end of either the requirements.
 */
export function readItem(item: string): DraftInstruction {
  const text = plainText(item);
  const [first = "", ...others] = text.split("\n");
  const rest = others.join("\n");
  const bold = readBold(first);
  const head = splitIds(bold ? bold.after : first);
  const below = head.ids ? { ...head, text: rest } : splitIds(rest);
  const served = { requirements: below.ids ?? [], ...(below.words ? { words: below.words } : {}) };
  if (bold) {
    const beside = head.text.replace(/^[:.–—-]\s*/, "");
    return inForm({ title: bold.title, text: [beside, below.text].filter(Boolean).join("\n"), ...served });
  }
  // A sentence that runs on below is no title: it stays whole.
  const runsOn = /^[ \t]*\p{Ll}/u.test(rest);
  const whole = runsOn ? `${head.text}\n${below.text}` : head.text;
  if (runsOn || !rest.trim()) return inForm({ title: titleOf(oneLine(whole)), text: whole, ...served });
  return inForm({ title: head.text, text: below.text, ...served });
}

/** The form that is stored and rendered: a title of one line, texts with plain line ends and nothing around them. */
export function inForm({ title, text, requirements, words }: DraftInstruction): DraftInstruction {
  const plain = plainText(text) || plainText(title);
  return {
    title: oneLine(title) || oneLine(titleOf(plain)) || oneLine(plain.slice(0, 80)),
    text: plain,
    requirements,
    ...(words ? { words } : {}),
  };
}

export const plainText = (text: string): string => text.toWellFormed().replace(/\r\n?/g, "\n").trim();
export const oneLine = (text: string): string => text.toWellFormed().replace(/\s+/g, " ").trim();
export const isRequirementId = (id: string): boolean => ID.test(id);

export const bold = (title: string): string => `**${title.replace(/[\\*]/g, "\\$&")}**`;

export function readBold(line: string): { title: string; after: string } | undefined {
  const match = /^(?:\*\*((?:\\.|[^\\*]|\*(?!\*))+)\*\*|__([^_]+)__)(.*)$/s.exec(line);
  const title = match?.[1]?.replace(/\\([\\*])/g, "$1") ?? match?.[2] ?? "";
  return oneLine(title) ? { title, after: match?.[3]?.trim() ?? "" } : undefined;
}

const WORDS = /^words:(\d{0,9})-(\d{0,9})$/;

/** As it is written beside the ids: `words:2850-3150`, `words:2000-`, `words:-4000`. */
export const wordsMark = ({ least, most }: WordRange): string => `words:${least ?? ""}-${most ?? ""}`;

function readWords(mark: string): WordRange {
  const [, least = "", most = ""] = WORDS.exec(mark) ?? [];
  return {
    ...(Number(least) > 0 ? { least: Number(least) } : {}),
    ...(Number(most) > 0 ? { most: Number(most) } : {}),
  };
}

/** Takes the requirement ids and the number of words off the end. `()` says that there are none. */
export function splitIds(text: string): { text: string; ids?: string[]; words?: WordRange } {
  const trimmed = text.trimEnd();
  const closes = trimmed.at(-1);
  if (closes !== ")" && closes !== "]") return { text };
  const from = trimmed.lastIndexOf(closes === ")" ? "(" : "[");
  if (from < 0) return { text };
  const marks = trimmed
    .slice(from + 1, -1)
    .split(/[\s,;]+/)
    .filter(Boolean);
  const ids = marks.filter((mark) => !WORDS.test(mark));
  if (marks.length - ids.length > 1 || !ids.every(isRequirementId)) return { text };
  const words = marks.find((mark) => WORDS.test(mark));
  return { text: trimmed.slice(0, from).trimEnd(), ids, ...(words ? { words: readWords(words) } : {}) };
}
