/** The message of a step's commit: title, summary, and trailers that tools can read. Pure. */

import type { Run } from "../run/run.ts";
import { money } from "../text/format.ts";
import { sanitize, sanitizeLine } from "../text/sanitize.ts";
import type { Instruction } from "./program.ts";

const SUBJECT_CHARS = 72;
const LINE_CHARS = 72;

export type CommittedStep = Pick<Instruction, "number" | "title" | "requirements" | "summary" | "microUsd">;

export function stepMessage(step: CommittedStep, run: Pick<Run, "id" | "profile">): string {
  const { number, title, requirements, summary, microUsd } = step;
  const trailers = [
    ...requirements.map((id) => `Requirement: ${sanitizeLine(id)}`),
    `Step: ${number}`,
    `Run: ${run.id}`,
    `Model: ${sanitizeLine(run.profile.model)}`,
    `Cost: ${money(microUsd)}`,
  ];
  const body = summary === undefined ? [] : [filled(sanitize(summary).trim())];
  return `${[subjectOf(title, number), ...body, trailers.join("\n")].filter((part) => part !== "").join("\n\n")}\n`;
}

function subjectOf(title: string, number: number): string {
  const line = sanitizeLine(title).trim() || `Instruction ${number}`;
  return line.length <= SUBJECT_CHARS ? line : `${line.slice(0, SUBJECT_CHARS - 1)}…`;
}

/** Lines that are too long are broken at spaces. A line that looks like a trailer is indented: it is the model's text. */
const filled = (text: string): string =>
  text
    .split("\n")
    .flatMap((line) => broken(line.trimEnd()))
    .map((line) => (/^[A-Za-z][A-Za-z0-9-]*\s*:/.test(line) ? ` ${line}` : line))
    .join("\n");

function broken(text: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > LINE_CHARS) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
