/** Words what the evidence of a delivery showed when it was executed again. What a manifest says may be anybody's text. */
import { checkText, evidenceName } from "../../core/evidence/evidence.ts";
import { provenWords } from "../../core/evidence/standing.ts";
import { ellipsis } from "../../core/text/cut.ts";
import { pluralize } from "../../core/text/format.ts";
import type { DeclaredEvidence } from "../../files/provenance/declared-evidence.ts";
import type { ExecutedCheck } from "./execute-evidence.ts";

const TEXT_CHARS = 70;

/** `executed`: absent where nothing was. */
export function evidenceWords(
  { proven, checks }: DeclaredEvidence,
  { executed, isVerified }: { executed: ExecutedCheck[] | undefined; isVerified: boolean },
): string[] {
  const said = `${provenWords(proven)} The manifest says so.`;
  if (!isVerified)
    return [`Evidence   ${pluralize(checks.length, "check")}, not executed: this is not what was delivered.`];
  if (!executed) return [`Evidence   ${pluralize(checks.length, "check")}, not executed. ${said}`];
  const red = executed.filter(({ outcome }) => outcome.status !== "passed");
  const green = executed.length - red.length;
  return [
    `Evidence   ${green} of ${pluralize(checks.length, "check")} green, executed here without a model`,
    ...executed.map(checkLine),
    said,
    ...(red.length > 0 ? [`NOT PROVEN HERE: ${red.map(evidenceName).join(", ")}.`] : []),
  ];
}

const WORDS = {
  passed: "green",
  refuted: "RED",
  missing: "RED",
  failed: "RED",
  unknown: "not executed",
};

function checkLine({ check, outcome, ...each }: ExecutedCheck): string {
  const why = outcome.status === "passed" ? "" : `: ${outcome.detail}`;
  const name = `${evidenceName(each)} E${each.grade}`.padEnd(10);
  return `           ${name} ${WORDS[outcome.status].padEnd(5)} ${ellipsis(checkText(check), TEXT_CHARS)}${why}`;
}
