/** What the gate decided, in words for the model: what blocks, where, and how to go on. Pure. */

import { type EvidenceFindings, evidencePlace, evidenceText } from "../evidence/gate-evidence.ts";
import { oneLine } from "../text/cut.ts";
import { pluralize } from "../text/format.ts";
import type { ToolNote } from "../turn/tool-note.ts";
import type { ApartOpinion } from "./apart/apart-opinion.ts";
import { feedbackOf } from "./feedback.ts";
import {
  type GateCheck,
  type GateDecision,
  type GateSettings,
  haveVanished,
  isLost,
  type TestBaseline,
} from "./gate.ts";
import { type GivenLeft, leftWords } from "./given-left.ts";
import type { GivenCount } from "./given-tests.ts";
import { isRed, type KnownRedLeft } from "./known-red.ts";
import { knownRedSentence } from "./known-red-words.ts";
import { isOutOfTime, PROSE, type Verdict } from "./verdict.ts";
import { because } from "./verdict-words.ts";

export interface GateReport {
  decision: GateDecision;
  verdict: Verdict;
  /** Only checks of the examiner are left out. */
  isExamined?: boolean;
  /** Of the same tree without the given tests, or without the examiner's checks that are red. */
  own?: Verdict | undefined;
  /** Of the given tests that the verdict says nothing about. */
  unseen?: Verdict | undefined;
  /** Given tests that were not executed. */
  left?: GivenLeft | undefined;
  /** How the given tests fared apart from what the run wrote to test with. */
  apart?: { opinion: ApartOpinion; verdict?: Verdict } | undefined;
  /** What no amendment covers. */
  weakened: { path: string; message: string }[];
  /** Of the accepted versions of changed tests. */
  accepted?: Verdict | undefined;
  standing: TestBaseline;
  settings: Pick<GateSettings, "testsSeen" | "syntaxSeen">;
  givenTests?: GivenCount | undefined;
  /** As the last accepted tree had them. */
  givenBefore?: GivenCount | undefined;
  knownRed?: KnownRedLeft | undefined;
  /** Where the run asks for evidence. */
  evidence?: EvidenceFindings | undefined;
}

export function gateText(report: GateReport): string {
  const { decision } = report;
  if (decision.accepted) return acceptedText(report, decision.unchecked);
  const blocking = decision.blocking.filter((what) => what !== "changes");
  const first =
    blocking.length > 0 ? `${blockingWords(blocking, report.verdict)} must be put right first` : NOTHING_CHANGED;
  return [
    `The instruction is not accepted yet: ${first}.`,
    ...decision.blocking.map((what) => reasonFor(what, report)),
    checksText(report),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** For watchers. */
export function gateNote(decision: GateDecision, verdict: Verdict): ToolNote {
  if (!decision.accepted) return { refusal: blockingWords(decision.blocking, verdict) };
  return { finding: decision.unchecked.length === 0 ? "accepted" : "accepted, unchecked" };
}

/** For watchers too: what blocks, each with its first place. */
export function refusalOf(report: GateReport): string[] {
  const { decision, verdict } = report;
  if (decision.accepted) return [];
  return decision.blocking.map((what) => {
    if (what === "changes") return NOTHING_CHANGED;
    const place = oneLine(firstPlace(what, report), WEAKENED_CHARS);
    return `${blockingWords([what], verdict)}${place === "" ? "" : `: ${place}`}`;
  });
}

function firstPlace(what: GateCheck, report: GateReport): string {
  const { own, left, standing, weakened } = report;
  const { syntax, tests, command } = own ? { ...report.verdict, ...own } : report.verdict;
  const [first, ...others] = weakened;
  if (what === "locked tests") return first ? `${weakenedLine(first)}${andMore(others.length)}` : "";
  if (what === "given tests") return apartRefusal(report) ?? (left ? leftWords(left) : placeInGiven(report));
  if (what === "evidence" || what === "requirements") return report.evidence ? evidencePlace(report.evidence) : "";
  if (what === "command")
    return command ? `${command.status}${command.exitCode ? ` (exit ${command.exitCode})` : ""}` : "";
  if (what === "syntax") return placeInSyntax(syntax);
  return haveVanished(report.verdict, standing)
    ? `${tests.passed} pass, ${standing.passedBefore} passed before`
    : placeInTests(tests);
}

const placeInGiven = ({ unseen, givenTests, givenBefore }: GateReport): string =>
  unseen ? placeInTests(unseen.tests) : `${givenTests?.passed ?? 0} pass, ${givenBefore?.passed ?? 0} passed before`;

const placeOf = ({ path, line, message }: { path: string; line?: number | undefined; message: string }): string =>
  `${[path, line].filter((part) => part !== undefined).join(":")} ${message}`;

function placeInSyntax({ status, errors }: Verdict["syntax"]): string {
  const [first, ...others] = errors.filter(({ known }) => !known);
  return first ? `${placeOf(first)}${andMore(others.length)}` : status;
}

function placeInTests({ status, failed, errors, cases }: Verdict["tests"]): string {
  const broken = cases.find((one) => isRed(one) && !one.known);
  return broken ? `${broken.name}${andMore(failed + errors - 1)}` : status.replaceAll("_", " ");
}

const andMore = (more: number): string => (more > 0 ? ` (+${more} more)` : "");

/** A book has a text and no syntax. */
const blockingWords = (blocking: GateCheck[], { syntax }: Verdict): string =>
  blocking
    .map((what) =>
      what === "changes" ? NOTHING_CHANGED : what === "syntax" && syntax.reason === PROSE ? "the text" : what,
    )
    .join(" and ");

const NOTHING_CHANGED = "nothing was changed";

/** Failures of the user's tests are shown only when nothing else is left to fix. */
function checksText({ decision, verdict, own, isExamined, unseen, apart, accepted, weakened }: GateReport): string {
  if (apart?.verdict && !decision.accepted) return feedbackOf(apart.verdict);
  if (unseen && !decision.accepted) return feedbackOf(unseen);
  if (accepted && !decision.accepted && weakened.length > 0)
    return `With the accepted versions of the changed tests:\n${feedbackOf({ ...accepted, syntax: verdict.syntax })}`;
  if (!own) return feedbackOf(verdict);
  return `${isExamined ? WITHOUT_EXAMINED : WITHOUT_GIVEN}\n${feedbackOf({ ...verdict, syntax: own.syntax, tests: own.tests, missingPackages: own.missingPackages })}`;
}

const WITHOUT_GIVEN = "Checked without the tests that the user gave, whose turn comes by the last instruction:";

const WITHOUT_EXAMINED = "Checked without the examiner's checks that are still red:";

function acceptedText({ own, isExamined, givenTests, knownRed }: GateReport, unchecked: string[]): string {
  const red = knownRed ? knownRedSentence(knownRed.left, knownRed.mended) : "";
  const open = [
    "Accepted.",
    ...(unchecked.length === 0 ? [] : [`Unchecked: ${unchecked.join("; ")}.`]),
    ...(red === "" ? [] : [red]),
  ].join(" ");
  if (!own || isExamined) return open;
  const now = givenTests ? ` ${givenWords(givenTests)} now.` : "";
  return `${open}${now} The last instruction is accepted only when all tests that the user gave pass.`;
}

/** `Given tests: 3 of 12 pass` */
export const givenWords = ({ passed, total }: GivenCount): string => `Given tests: ${passed} of ${total} pass`;

function reasonFor(what: GateCheck, report: GateReport): string {
  if (what === "locked tests") return weakenedText(report);
  if (what === "evidence") {
    const { red = [], isExamined = false } = report.evidence ?? {};
    return evidenceText({ red, unproven: [], isExamined });
  }
  if (what === "requirements") {
    const { unproven = [], isExamined = false } = report.evidence ?? {};
    return evidenceText({ red: [], unproven, isExamined });
  }
  if (what === "given tests") return givenText(report);
  if (what === "changes")
    return "Nothing was changed: this instruction has written no file. If that is right, call complete_instruction again and say in `summary` where it was done already.";
  const { verdict, own, standing } = report;
  const lost = lostText(what, report);
  if (lost !== "") return lost;
  const tests = own ?? verdict;
  if (what !== "tests" || !haveVanished(tests, standing)) return "";
  return `Tests have vanished: ${pluralize(standing.passedBefore ?? 0, "test")} passed in the last accepted tree, and ${tests.tests.passed} pass now. The others have gone without a trace: look for an import error that is swallowed, for settings that find fewer tests, for cases that were dropped. Bring them back, or call amend_test with the path of the test file that is to have fewer, and the reason.`;
}

function lostText(what: GateCheck, { verdict, own = verdict, settings, standing }: GateReport): string {
  if (what === "tests" && isLost(own.tests, settings.testsSeen)) {
    const count = standing.passedBefore ? `${pluralize(standing.passedBefore, "test")} passed` : "tests ran";
    return `Before this instruction ${count}, and now none can run${because(own.tests)}. ${remedyFor(own.tests)}`;
  }
  if (what === "syntax" && isLost(own.syntax, settings.syntaxSeen))
    return `The syntax of the last accepted tree was checked, and now it cannot be${because(own.syntax)}. ${remedyFor(own.syntax)}`;
  return "";
}

const remedyFor = ({ reason }: { reason?: string | undefined }): string =>
  REMEDIES[reason ?? ""] ?? "Put back what let it run.";

const REMEDIES: Record<string, string> = {
  package_missing:
    "Use another package or the standard library, import the package only where it is used, or keep it optional.",
  no_toolchain: "Write it in a language whose tools are installed here, or keep what was there beside it.",
  nothing_to_check: "Put back the code and the tests that were there.",
};

const WEAKENED_SHOWN = 20;
const WEAKENED_CHARS = 300;

function weakenedText({ weakened, accepted }: GateReport): string {
  const mended = accepted && isOutOfTime(accepted.tests) ? "end in time" : "pass, and put back what was deleted";
  const shown = weakened.slice(0, WEAKENED_SHOWN).map(weakenedLine);
  const more = weakened.length - shown.length;
  return [
    "Tests of accepted instructions are locked. Their accepted versions must pass beside the new ones:",
    ...shown,
    ...(more > 0 ? [`… and ${more} more`] : []),
    `Mend the code until they ${mended}. Only where the task itself asks for other behaviour than a test holds, call amend_test with its path and the reason.`,
  ].join("\n");
}

const weakenedLine = ({ path, message }: GateReport["weakened"][number]): string =>
  `${oneLine(path, WEAKENED_CHARS)} ${oneLine(message, WEAKENED_CHARS)}`;

/** Why they do not count, though all passed beside what the run wrote. */
const apartRefusal = ({ apart }: GateReport): string | undefined =>
  apart?.opinion.status === "failed" || apart?.opinion.status === "forged" ? apart.opinion.detail : undefined;

function givenText(report: GateReport): string {
  const { unseen, left, givenTests, givenBefore } = report;
  const refusal = apartRefusal(report);
  if (refusal !== undefined)
    return `The tests that the user gave were run once more without the files of this run that only serve testing (its own tests, conftest.py, set-up files, test scripts and settings of runners), and do not count: ${refusal}. The program itself must make them pass: put what they need into the program, not into what surrounds the tests.`;
  if (left)
    return `Of the tests that the user gave, some were not executed: ${leftWords(left)}. Only what is executed can pass: code and settings must not keep tests from running.${left.isMeant ? " If these tests leave themselves out here by their own text, call complete_instruction again." : ""}`;
  if (unseen)
    return "Of the tests that the user gave, some were not run with the others. Run by their names, not all pass.";
  return `Of the tests that the user gave, ${givenBefore?.passed} passed in the last accepted tree, and ${givenTests?.passed} pass now: what passed before has to pass.`;
}
