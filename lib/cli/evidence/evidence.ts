/** `l2mac evidence`: which requirements of a run are proven, by what, and which are not and why. */

import { checkText, type Evidence, evidenceName, OF_EXAMINER } from "../../core/evidence/evidence.ts";
import { asksForEvidence } from "../../core/evidence/evidence-kind.ts";
import { isAllProven, provenWords } from "../../core/evidence/standing.ts";
import type { EvidenceTable, RequirementRow } from "../../core/evidence/table.ts";
import { ellipsis } from "../../core/text/cut.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import type { Command } from "../command.ts";
import { connect } from "../runs/connection.ts";
import { findRun } from "../runs/find-run.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";

export const evidence: Command = async (given, shell) => {
  const connection = await connect(given, shell);
  const run = await findRun(connection, given.words[0]);
  const isAsked = asksForEvidence(run);
  const table = await connection.evidence(run.id);
  if (given.flags.has(JSON_OUTPUT.name)) shell.out(`${JSON.stringify({ run: run.id, ...table }, null, 2)}\n`);
  else for (const line of linesOf(table, isAsked)) shell.out(`${sanitizeLine(line)}\n`);
  return isAsked && !isAllProven(table) ? 1 : 0;
};

function linesOf(table: EvidenceTable, isAsked: boolean): string[] {
  if (!isAsked) return ["This run asked for no evidence."];
  if (table.requirements.length === 0) return ["The program has no requirements yet."];
  return [...[...table.requirements, ...(table.constraints ?? [])].flatMap(rowLines), provenWords(table)];
}

type ShownRow = Pick<RequirementRow, "id" | "text" | "why" | "grade" | "kept" | "evidence"> & { state: string };

const TEXT_CHARS = 70;

/** In a run with an examiner. */
function authorOf({ independent, instruction, changed }: Evidence): string {
  if (independent === undefined) return "";
  if (!independent) return " by its author";
  if (instruction !== OF_EXAMINER) return " by the user";
  return changed ? " by the examiner, amended" : " by the examiner";
}

function rowLines({ id, text, state, why, evidence: gathered, ...row }: ShownRow): string[] {
  const { grade, kept } = row;
  const head = state === "proven" ? `${kept ? "kept" : "proven"} E${grade}` : state;
  const note = why === undefined ? "" : `: ${why}`;
  return [
    `${id.padEnd(6)} ${head.padEnd(10)} ${ellipsis(text, TEXT_CHARS)}${note}`,
    ...gathered.flatMap((each) => {
      const { grade: own, check, base, work, again, delivered, replacedBy } = each;
      const now = (delivered ?? again ?? work).status;
      const taken = replacedBy === undefined ? "" : `, replaced by ${each.requirement}#${replacedBy}`;
      const first = `${evidenceName(each)} E${own}${authorOf(each)}: ${ellipsis(checkText(check), TEXT_CHARS)}: ${base.status} → ${now}${taken}`;
      const { killed, effective, survivors = [] } = each.mutants ?? {};
      const noticed = each.mutants ? [`mutants: ${killed} of ${effective} killed`] : [];
      return [
        first,
        ...[...noticed, ...survivors.map((name) => `not noticed: ${name}`)].map((line) => `  ${line}`),
      ].map((line) => `       ${line}`);
    }),
  ];
}
