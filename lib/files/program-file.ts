/** A program from a file: the form follows from the file's name. What a program is, `core/program-text` knows. */
import { extname } from "node:path";
import { parse } from "yaml";
import { UserError } from "../core/errors.ts";
import type { Draft } from "../core/program/program.ts";
import { draftFromData, parseProgramMarkdown } from "../core/program/program-text.ts";
import { readRegularSync } from "../host/regular-file.ts";
import { codeOf } from "../host/storage-errors.ts";

const FORMS: Record<string, (text: string) => Draft | { problem: string }> = {
  ".md": parseProgramMarkdown,
  ".markdown": parseProgramMarkdown,
  ".json": (text) => draftFromData(JSON.parse(text)),
  ".yaml": readYamlDraft,
  ".yml": readYamlDraft,
};

/** Its warnings would be written to the terminal, with lines of the file. */
function readYamlDraft(text: string): Draft | { problem: string } {
  return draftFromData(parse(text, { maxAliasCount: 100, logLevel: "error" }));
}

export function readProgram(path: string): Draft {
  const form = FORMS[extname(path).toLowerCase()];
  if (!form) throw refused(`${path}: a program's name ends in .md, .yaml, .yml or .json.`);
  const read = formed(path, form, textOf(path));
  if ("problem" in read) throw refused(`${path}: ${read.problem}`);
  return read;
}

function textOf(path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readRegularSync(path));
  } catch (error) {
    const why = codeOf(error) === "ENOENT" ? "there is no such file" : firstLine(error);
    throw refused(`${path} cannot be read: ${why}.`, error);
  }
}

function formed(path: string, form: (text: string) => Draft | { problem: string }, text: string) {
  try {
    return form(text);
  } catch (error) {
    throw refused(`${path}: ${firstLine(error)}.`, error);
  }
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n", 1)[0]?.replace(/[.:]$/, "") ?? "";

const refused = (message: string, cause?: unknown): UserError =>
  new UserError(message, { exitCode: 2, remedy: "docs/programs.md shows the three forms of a program.", cause });
