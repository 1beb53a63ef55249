/** Templates: `{{slot}}` takes a value, `{{#slot}}…{{/slot}}` is kept where the slot is not empty. Filled in one pass. */
import { UserError } from "../errors.ts";

export interface TemplatePart {
  kind: "text" | "slot" | "open" | "close";
  /** The text, or the slot's name. */
  value: string;
  line: number;
}

export interface TemplateProblem {
  line: number;
  text: string;
}

/** Values are never read as templates: what a task or a model wrote between braces stays as it is. */
export function fill(template: string, slots: Record<string, string>): string {
  const [problem] = templateProblems(template, Object.keys(slots));
  if (problem) throw new UserError(`A prompt cannot be filled: line ${problem.line}: ${problem.text}`, { exitCode: 2 });
  const open: string[] = [];
  let filled = "";
  for (const { kind, value } of templateParts(template)) {
    if (kind === "open") open.push(value);
    else if (kind === "close") open.pop();
    else if (open.every((name) => slots[name] !== "")) filled += kind === "text" ? value : (slots[value] ?? "");
  }
  return filled;
}

export function templateProblems(template: string, known: readonly string[]): TemplateProblem[] {
  const problems: TemplateProblem[] = [];
  const open: TemplatePart[] = [];
  for (const part of templateParts(template)) {
    if (part.kind === "text") continue;
    if (!known.includes(part.value)) problems.push({ line: part.line, text: unknownSlot(part.value, known) });
    if (part.kind === "open") open.push(part);
    if (part.kind !== "close") continue;
    const opened = open.pop();
    if (opened?.value === part.value) continue;
    const expected = opened ? `the open section is {{#${opened.value}}}` : "no section is open";
    problems.push({ line: part.line, text: `{{/${part.value}}} closes nothing: ${expected}.` });
  }
  for (const part of open) {
    problems.push({ line: part.line, text: `{{#${part.value}}} is never closed; close it with {{/${part.value}}}.` });
  }
  return problems;
}

function unknownSlot(name: string, known: readonly string[]): string {
  if (known.length === 0) return `{{${name}}} is unknown: this text has no slots.`;
  return `{{${name}}} is unknown; the slots here are ${known.map((slot) => `{{${slot}}}`).join(", ")}.`;
}

/** A section's tag alone on its line takes the line with it, so that what is left out leaves no gap. */
const TAG = /^[ \t]*\{\{([#/][^{}\n]*)\}\}[ \t]*(?:\r?\n|(?![\s\S]))|\{\{([^{}\n]*)\}\}/gm;

export function templateParts(template: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let from = 0;
  let line = 1;
  const push = (kind: TemplatePart["kind"], value: string, source: string) => {
    parts.push({ kind, value, line });
    line += source.split("\n").length - 1;
  };
  for (const match of template.matchAll(TAG)) {
    const before = template.slice(from, match.index);
    if (before) push("text", before, before);
    const tag = (match[1] ?? match[2] ?? "").trim();
    const kind = tag.startsWith("#") ? "open" : tag.startsWith("/") ? "close" : "slot";
    push(kind, kind === "slot" ? tag : tag.slice(1).trim(), match[0]);
    from = match.index + match[0].length;
  }
  const rest = template.slice(from);
  if (rest) push("text", rest, rest);
  return parts;
}
