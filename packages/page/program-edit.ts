/** A program while a person edits it: as an outline, or as Markdown. Pure. */
import { inWords, placed } from "../../lib/core/program/language/finding.ts";
import { lintProgram } from "../../lib/core/program/language/lint/lint.ts";
import { readMarkdown } from "../../lib/core/program/language/markdown/read-markdown.ts";
import { type Draft, type DraftInstruction, draftOf, type Requirement } from "../../lib/core/program/program.ts";
import {
  draftFromData,
  parseProgramMarkdown,
  programIn,
  readDraft,
  renderProgramMarkdown,
} from "../../lib/core/program/program-text.ts";

/** `key` stays with an instruction while it is moved. */
export interface EditedItem {
  key: number;
  instruction: DraftInstruction;
}

export interface EditedProgram {
  requirements: Requirement[];
  items: EditedItem[];
  /** Edited instead of the items. */
  markdown?: string;
}

type Read = Draft | { problem: string };

export function startEdit(program: Draft): EditedProgram {
  const { requirements, instructions, tree } = draftOf(program);
  // The outline shows lists; a program of more kinds is edited as text.
  const markdown = tree ? { markdown: renderProgramMarkdown(program) } : {};
  return { requirements, ...markdown, items: instructions.map((instruction, key) => ({ key, instruction })) };
}

/** What is sent, or what is wrong with it. */
export function readEdit({ requirements, items, markdown }: EditedProgram): Read {
  if (markdown !== undefined) return parseProgramMarkdown(markdown);
  return draftFromData({ requirements, instructions: items.map(({ instruction }) => instruction) });
}

export const toMarkdown = (edited: EditedProgram): EditedProgram => ({
  ...edited,
  markdown: renderProgramMarkdown({
    requirements: edited.requirements,
    instructions: edited.items.map(({ instruction }) => instruction),
  }),
});

export function toOutline(edited: EditedProgram): EditedProgram | { problem: string } {
  const read = readEdit(edited);
  if ("problem" in read) return read;
  return read.tree ? { problem: "A program with loops, conditions or checks is edited as Markdown." } : startEdit(read);
}

const FINDINGS_SHOWN = 20;

/** What is wrong with the Markdown, or may be, each with its line. */
export function findingsIn({ markdown = "" }: EditedProgram): string[] {
  const source = readMarkdown(markdown);
  const read = readDraft(source);
  if ("findings" in read) return read.findings.slice(0, FINDINGS_SHOWN).map(inWords);
  const { findings } = lintProgram(programIn(read.draft));
  const known = "findings" in source ? findings : placed(findings, source.placeOf);
  return known.slice(0, FINDINGS_SHOWN).map((finding) => `Perhaps: ${inWords(finding)}`);
}

const withItems = (edited: EditedProgram, items: EditedItem[]): EditedProgram => ({ ...edited, items });

export function moveItem(edited: EditedProgram, from: number, to: number): EditedProgram {
  const items = [...edited.items];
  const [moved] = items.splice(from, 1);
  if (moved) items.splice(to, 0, moved);
  return withItems(edited, items);
}

export const removeItem = (edited: EditedProgram, key: number): EditedProgram =>
  withItems(
    edited,
    edited.items.filter((item) => item.key !== key),
  );

export function addItem(edited: EditedProgram): EditedProgram {
  const key = Math.max(-1, ...edited.items.map((item) => item.key)) + 1;
  return withItems(edited, [...edited.items, { key, instruction: { title: "", text: "", requirements: [] } }]);
}

export const changeItem = (edited: EditedProgram, key: number, change: Partial<DraftInstruction>): EditedProgram =>
  withItems(
    edited,
    edited.items.map((item) => (item.key === key ? { key, instruction: { ...item.instruction, ...change } } : item)),
  );

/** Numbers of the instructions that serve a requirement. */
export const servedBy = ({ items }: EditedProgram, id: string): number[] =>
  items.flatMap(({ instruction }, index) => (instruction.requirements.includes(id) ? [index + 1] : []));
