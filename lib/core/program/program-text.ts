/** A program as people write and read it, and as the machine executes it. Pure. */
import type { LinkedProgram } from "./language/calls/link.ts";
import { draftFrom } from "./language/executable.ts";
import { type Finding, inWords, type ProgramSource, placed } from "./language/finding.ts";
import { errorsIn } from "./language/lint/lint.ts";
import type { LintOptions } from "./language/lint/needs.ts";
import { readMarkdown } from "./language/markdown/read-markdown.ts";
import { renderMarkdown } from "./language/markdown/render-markdown.ts";
import { readProgramData } from "./language/read-program.ts";
import type { Program } from "./language/schema.ts";
import type { Draft, TreeNode } from "./program.ts";

export const parseProgramMarkdown = (text: string, options: LintOptions = {}): Draft | { problem: string } =>
  draftIn(readMarkdown(text), options);

/** From parsed JSON or YAML: a list of texts, a list of instructions, or both lists by name. */
export const draftFromData = (data: unknown, options: LintOptions = {}): Draft | { problem: string } =>
  draftIn({ data, placeOf: () => undefined }, options);

/** What `parseProgramMarkdown` reads back unchanged. */
export const renderProgramMarkdown = (draft: Draft): string => renderMarkdown(programIn(draft));

export function programIn({ requirements, instructions, tree }: Draft): Program {
  if (!tree) return { requirements, instructions: instructions.map((each) => ({ kind: "do", ...each })) };
  const read = readProgramData({ data: { requirements, instructions: tree }, placeOf: () => undefined });
  if ("program" in read) return read.program;
  throw new Error(`A program that was read cannot be read again: ${read.findings.map(inWords).slice(0, 1).join()}`);
}

/** As the API takes it. */
export const programData = ({ requirements, instructions, tree }: Draft): ProgramData => ({
  requirements,
  instructions: tree ?? instructions,
});

export interface ProgramData {
  requirements: Draft["requirements"];
  instructions: TreeNode[] | Draft["instructions"];
}

function draftIn(
  source: ProgramSource | { findings: Finding[] },
  options: LintOptions = {},
): Draft | { problem: string } {
  const read = readDraft(source, { ...options });
  return "draft" in read ? read.draft : { problem: read.findings.map(inWords).slice(0, 1).join() };
}

interface DraftReading extends LintOptions {
  /** Finds the programs that it calls. */
  link?: (program: Program) => LinkedProgram;
}

/** What the machine can execute, or why it cannot, with places. */
export function readDraft(
  source: ProgramSource | { findings: Finding[] },
  { link, ...options }: DraftReading = {},
): { draft: Draft } | { findings: Finding[] } {
  if ("findings" in source) return source;
  const read = readProgramData(source);
  if ("findings" in read) return read;
  const linked = link?.(read.program) ?? { program: read.program, findings: [] };
  const lowered = draftOrErrors(linked, options);
  return "findings" in lowered ? { findings: placed(lowered.findings, source.placeOf) } : lowered;
}

/** Of a program with those that it calls. */
export function draftOrErrors(
  { program, findings }: Pick<LinkedProgram, "program" | "findings">,
  options: LintOptions = {},
): { draft: Draft } | { findings: Finding[] } {
  if (findings.length > 0) return { findings };
  const errors = errorsIn(program, options);
  return errors.length > 0 ? { findings: errors } : draftFrom(program, options);
}
