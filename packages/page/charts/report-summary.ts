/** The head of the report: status, what is kept, cost, time, tests and clean-room check. Pure. */

import { asksForEvidence } from "../../../lib/core/evidence/evidence-kind.ts";
import { provenWords } from "../../../lib/core/evidence/standing.ts";
import { writtenOffIn, writtenOffWords } from "../../../lib/core/run/accounts/written-off.ts";
import { MICRO } from "../../../lib/core/run/budget.ts";
import { endingWords } from "../../../lib/core/run/ending-words.ts";
import { filesOf } from "../../../lib/core/run/file-count.ts";
import { isEnded, type Run, statusText } from "../../../lib/core/run/run.ts";
import { remedyText } from "../../../lib/core/text/command-line.ts";
import { moment, money, pluralize, spanWords } from "../../../lib/core/text/format.ts";
import type { ModelProfile } from "../../../lib/core/turn/model-profile.ts";
import { countWords } from "./frame.ts";
import type { ReportInput } from "./report-page.ts";
import { element, text } from "./svg.ts";

export function summary({ run, events, place, launcher }: ReportInput): string {
  const lost = writtenOffIn(events);
  const { kept, cost, next } = endingWords(run, { files: filesOf(run), place });
  const facts: [string, string][] = [
    ["Kept", kept],
    ["Cost", cost.replace(/\.$/, ceilingWords(run))],
    ...(lost ? [["", `${writtenOffWords(lost)}.`] as [string, string]] : []),
    ["Time", timeWords(run)],
    ["Tests", testsWords(run)],
    ["Evidence", asksForEvidence(run) ? provenFact(run) : "off: exit codes follow from the checks alone"],
    deliveryFact(run),
    ["Unchecked", run.unchecked.length > 0 ? run.unchecked.join("; ") : "nothing"],
    ["Model", (run.models ?? [run.profile]).map(nameOf).join(", ")],
    ["Tokens", tokensWords(run)],
    ["Run", `${run.name} (${run.id}), ${run.options.domain}`],
    ...(hasStopped(run)
      ? next.map((each, index): [string, string] => [index === 0 ? "Next" : "", remedyText(each, launcher)])
      : []),
  ];
  return (
    element(
      "p",
      { class: "lead" },
      element("span", { class: `state ${mood(run)}` }, text(statusText(run))),
      detail(run),
    ) + element("dl", {}, ...facts.map(([name, value]) => element("dt", {}, name) + element("dd", {}, text(value))))
  );
}

const provenFact = ({ proven }: Run): string => (proven ? provenWords(proven) : "not executed yet");

const deliveryFact = ({ smoke }: Run): [string, string] => ["Clean-room check", smoke ? smoke.detail : "not run"];

const hasStopped = ({ status }: Run): boolean => isEnded(status) || status === "waiting";

/** Of a run that completed, the status says it already. */
const detail = ({ status, detail: reason }: Run): string =>
  reason && reason.toLowerCase() !== `${status}.` ? text(`: ${reason}`) : "";

/** What could not be checked is not green. */
function mood({ status, reason }: Run): string {
  if (status === "completed") return reason === "unchecked" ? "open" : "good";
  return isEnded(status) ? "bad" : "open";
}

const nameOf = ({ model, examines }: ModelProfile): string => (examines ? `${model} for the checks` : model);

const ceilingWords = ({ options: { budget } }: Run): string =>
  budget.usd === undefined ? "." : `; the ceiling was ${money(budget.usd * MICRO)}.`;

function timeWords({ activeMs, createdAt, endedAt }: Run): string {
  const ended = endedAt === undefined ? "not ended yet" : `ended ${moment(endedAt)}`;
  return `${spanWords(activeMs)} running; started ${moment(createdAt)}, ${ended}`;
}

function testsWords({ testsTotal, testsPassed, givenTests, amended, knownRed }: Run): string {
  const given = givenTests ? `; your tests: ${givenTests.passed} of ${givenTests.total}` : "";
  const changed = amended ? `; ${pluralize(amended, "locked test")} amended` : "";
  const red = knownRed ? `; ${knownRed} known red` : "";
  return (testsTotal > 0 ? `${testsPassed} of ${testsTotal} passed` : "none") + red + given + changed;
}

const tokensWords = ({ inputTokens, cachedTokens, outputTokens }: Run): string =>
  `${countWords(inputTokens)} sent, ${countWords(cachedTokens)} of them cached, ${countWords(outputTokens)} received`;
