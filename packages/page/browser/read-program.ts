/** Reads a program from a form: a Markdown list or JSON. */
import { messageOf } from "../../../lib/core/errors.ts";
import type { Draft } from "../../../lib/core/program/program.ts";
import { draftFromData, parseProgramMarkdown } from "../../../lib/core/program/program-text.ts";

export class WrongProgram extends Error {}

/** Programs that it calls by name are found by the server. */
const NAMES = { namesElsewhere: true };

export function readProgram(text: string): Draft {
  const read = /^\s*[[{]/.test(text) ? fromJson(text) : parseProgramMarkdown(text, NAMES);
  if ("problem" in read) throw new WrongProgram(read.problem);
  return read;
}

function fromJson(text: string): Draft | { problem: string } {
  try {
    return draftFromData(JSON.parse(text), NAMES);
  } catch (error) {
    return { problem: `Invalid JSON: ${messageOf(error)}` };
  }
}
