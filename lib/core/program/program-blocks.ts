/** The items of a program's Markdown lists, each with its lines and without its indentation. Pure. */
import { indentOf } from "./list-mark.ts";

export interface Block {
  section: "program" | "requirements";
  line: number;
  /** Of its mark. */
  column: number;
  /** Of its text, behind the mark. */
  textColumn: number;
  /** Columns that were taken off what is indented under it. */
  width: number;
  /** Without the mark, where the section is the program. */
  text: string;
}

interface Line {
  text: string;
  /** A line that goes on without indentation says nothing about how far its item is indented. */
  indented: boolean;
}

/** A list that is inside an item has no sections. */
export interface BlockOptions {
  inside?: boolean;
}

interface OpenBlock extends Omit<Block, "text" | "width"> {
  lines: Line[];
}

interface ReaderState {
  blocks: OpenBlock[];
  section: Block["section"];
  block: OpenBlock | undefined;
  /** How far the section's first item is indented; deeper lists belong to an item. */
  base: number | undefined;
  gap: boolean;
  inside: boolean;
}

export interface BlockProblem {
  line: number;
  column: number;
  problem: string;
}

export const REQUIREMENT =
  /^[ \t]*(?:[-*+•][ \t]+)?(?:\*\*)?(?:R(\d+(?:\.\d+)*)(?:\*\*)?[:.)–—-]?|(\d+(?:\.\d+)*)[.)])(?:\*\*)?[ \t]+(\S.*)$/s;
const MARK = /^[ \t]*(?:[-*+•]|\d{1,5}[.)])(?:[ \t]+(?:\[[ xX]\][ \t]+)?(.*))?$/s;
const HEADING = /^#{1,6}[ \t]+(.*)/;
const RULE = /^[ \t]*[-*_](?:[ \t]*[-*_])+[ \t]*$/;

export function readBlocks(text: string, { inside = false }: BlockOptions = {}): Block[] | BlockProblem {
  const reading: ReaderState = { blocks: [], section: "program", block: undefined, base: undefined, gap: true, inside };
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  for (const [index, line] of lines.entries()) {
    const problem = take(reading, line, index + 1);
    if (problem) return { line: index + 1, column: columnOf(line), problem };
    reading.gap = line.trim() === "";
  }
  return reading.blocks.map(({ lines: own, ...block }) => ({ ...block, ...dedented(own) }));
}

const columnOf = (line: string): number => line.length - line.trimStart().length + 1;

function take(reading: ReaderState, line: string, number: number): string | undefined {
  const { block, section, base = 0 } = reading;
  if (line.trim() === "") {
    block?.lines.push({ text: line, indented: false });
    return undefined;
  }
  const isWithin = block !== undefined && indentOf(line) > base + 1;
  const heading = isWithin || reading.inside ? undefined : HEADING.exec(line)?.[1];
  if (heading !== undefined) {
    reading.section = /^requirements\b/i.test(heading) ? "requirements" : "program";
    reading.block = reading.base = undefined;
    return undefined;
  }
  if (!isWithin && RULE.test(line)) return undefined;
  const start = startOf(section, line, isWithin);
  return start === undefined ? goOn(reading, line) : begin(reading, line, { text: start, number });
}

function startOf(section: Block["section"], line: string, isWithin: boolean): string | undefined {
  if (section === "requirements" && REQUIREMENT.test(line)) return line;
  const mark = isWithin ? undefined : MARK.exec(line);
  return mark ? (section === "requirements" ? line : (mark[1] ?? "")) : undefined;
}

function begin(reading: ReaderState, line: string, start: { text: string; number: number }): undefined {
  const lines = [{ text: start.text, indented: false }];
  const textColumn = line.length - start.text.length + 1;
  const block = { section: reading.section, line: start.number, column: columnOf(line), textColumn, lines };
  reading.block = block;
  reading.blocks.push(block);
  reading.base ??= indentOf(line);
}

/** The text before a section's first item introduces it. */
function goOn({ block, base = 0, gap }: ReaderState, line: string): string | undefined {
  if (!block) return undefined;
  const indented = indentOf(line) > base;
  if (!indented && (gap || /^(?:```|~~~)/.test(line)))
    return "this belongs to no item; indent it under the item above.";
  block.lines.push({ text: indented ? line : line.trim(), indented });
  return undefined;
}

function dedented(lines: Line[]): Pick<Block, "text" | "width"> {
  const widths = lines.filter(({ indented }) => indented).map(({ text }) => /^[ \t]*/.exec(text)?.[0].length ?? 0);
  const width = widths.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
  const own = lines.map(({ text, indented }) => (indented || text.trim() === "" ? text.slice(width) : text));
  return { text: own.join("\n"), width: Number.isFinite(width) ? width : 0 };
}
