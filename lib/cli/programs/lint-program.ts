/** `l2mac plan --lint FILE`: names all that is wrong with a program, and what it can cost at most. Nothing is sent or paid. */
import { resolve } from "node:path";
import { UserError } from "../../core/errors.ts";
import type { LinkedProgram } from "../../core/program/language/calls/link.ts";
import { type Finding, placed } from "../../core/program/language/finding.ts";
import { type Lint, lintProgram, unknownRequirements } from "../../core/program/language/lint/lint.ts";
import { type ReadProgram, readProgramData } from "../../core/program/language/read-program.ts";
import type { Program } from "../../core/program/language/schema.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import type { ProgramPlace } from "../../files/program/called-programs.ts";
import { calledInWords, linkProgram, noticesOf, readProgramSource, writeProgram } from "../../files/program-file.ts";
import { knownProfiles } from "../../model/known-profile.ts";
import type { Command } from "../command.ts";
import { writeNewFile } from "../display/write-new-file.ts";
import { LINT } from "../settings/command-flags.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";
import { modelServerIn } from "../settings/model-server.ts";
import { foldersOf, namesElsewhere } from "../settings/program-folders.ts";
import { readSettings } from "../settings/settings.ts";
import { costIn, costLines } from "./worst-case-lines.ts";

/** 0: nothing is wrong. 1: warnings. 2: errors, with which no run begins. */
export const lintProgramFile: Command = async ({ flags, words }, shell) => {
  const file = flags.get(LINT.name) ?? "";
  if (words.length > 0) {
    throw new UserError(`${LINT.name} reads ${file} and nothing else.`, { exitCode: 2, remedy: "Leave the task out." });
  }
  const settings = readSettings({ flags, env: shell.env, cwd: shell.cwd });
  const source = readProgramSource(resolve(shell.cwd, file));
  const read: ReadProgram = "findings" in source ? source : readProgramData(source);
  const place = {
    path: resolve(shell.cwd, file),
    folders: foldersOf(shell),
    namesElsewhere: namesElsewhere(flags, shell),
  };
  const linked = "findings" in read ? undefined : linkedAt(place, read.program);
  const lint = linked ? lintLinked(linked) : { findings: "findings" in read ? read.findings : [], ...NOTHING };
  const findings = "findings" in source ? lint.findings : placed(lint.findings, source.placeOf);
  const cost =
    "findings" in read ? undefined : costIn(lint, knownProfiles(modelServerIn(settings, shell.env)), settings);
  const notices = [...noticesOf(source), ...calledInWords(linked?.called ?? [])];
  if (flags.has(JSON_OUTPUT.name)) {
    const { instructions, steps, checks, questions } = lint;
    shell.out(
      `${JSON.stringify({ file, instructions, steps, checks, questions, ...cost, notices, findings: findings.map(asJson) })}\n`,
    );
  } else {
    for (const notice of notices) shell.say(sanitizeLine(notice));
    for (const finding of findings) shell.out(`${sanitizeLine(lineOf(file, finding))}\n`);
    for (const line of cost ? costLines(lint, cost) : []) shell.say(line);
  }
  const out = flags.get("--out");
  if (out !== undefined && "program" in read) await writeNewFile(shell, out, writeProgram(out, read.program));
  if (findings.some(({ severity }) => severity === "error")) return 2;
  return findings.length > 0 ? 1 : 0;
};

const NOTHING = { instructions: 0, steps: 0, checks: 0, questions: 0 };

const linkedAt = (place: Omit<ProgramPlace, "read">, program: Program): LinkedProgram =>
  linkProgram(program, { ...place, lint: (called) => lintProgram(called).findings });

/** Errors first. What is called is counted too. */
function lintLinked({ program, findings }: LinkedProgram): Lint {
  const lint = lintProgram(program);
  const isNew = (finding: Finding) => !findings.some((each) => !each.file && isSame(each, finding));
  const all = [...lint.findings.filter(isNew), ...unknownRequirements(program), ...findings];
  const ofSeverity = (severity: Finding["severity"]) => all.filter((each) => each.severity === severity);
  return { ...lint, findings: [...ofSeverity("error"), ...ofSeverity("warning")] };
}

const isSame = (one: Finding, other: Finding): boolean =>
  one.message === other.message && String(one.path) === String(other.path);

/** `program.md:12:4: error: …`, which editors read. */
function lineOf(named: string, { place, severity, message, remedy, file = named }: Finding): string {
  const where = [file, ...(place ? [place.line, place.column] : [])].join(":");
  return `${where}: ${severity}: ${message}${remedy ? ` ${remedy}` : ""}`;
}

const asJson = ({ place, ...finding }: Finding) => ({ ...finding, ...place });
