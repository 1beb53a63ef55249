/** Shows findings: a mark, what was checked, and the result, with the remedies indented below it. */
import { UserError } from "../../core/errors.ts";
import { remedyText } from "../../core/text/command-line.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import type { Finding } from "../../deployment/finding.ts";
import { plain } from "../display/paint.ts";

const MARKS = { ok: "✔", note: "~", missing: "✘" } as const;
const COLORS = { ok: "green", note: "yellow", missing: "red" } as const;

export const findingLine = ({ what, state, says, next = [] }: Finding, launcher: string, paint = plain): string =>
  `${paint(COLORS[state], MARKS[state])} ${what.padEnd(10)} ${[...says.split("\n"), ...next.map((each) => remedyText(each, launcher))].map(sanitizeLine).join("\n             ")}`;

export const missing = (what: string, says: string): Finding => ({ what, state: "missing", says });

/** Only of user errors; others are thrown again. */
export function missingFor(what: string, error: unknown): Finding {
  if (!(error instanceof UserError)) throw error;
  const { message, remedy, alternatives } = error;
  return { ...missing(what, message), ...(remedy ? { next: [remedy, ...alternatives] } : {}) };
}
