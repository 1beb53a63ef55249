/** What a verdict says of one check: whether it holds, and if not, for which reason it is red. Pure. */
import { headAndTail, oneLine } from "../text/cut.ts";
import { maskSecrets } from "../text/secrets.ts";
import { isOf } from "../verdict/given-tests.ts";
import type { TestCase, Verdict } from "../verdict/verdict.ts";
import type { EvidenceCheck, Outcome } from "./evidence.ts";

const OUTPUT_CHARS = 2_000;
const DETAIL_CHARS = 240;

/** Of a verdict whose tests or command included the check. */
export function outcomeOf(check: EvidenceCheck, verdict: Verdict): Outcome {
  const found = check.tests ? testsOutcome(check.tests, verdict) : commandOutcome(check, verdict);
  return {
    status: found.status,
    detail: maskSecrets(oneLine(found.detail, DETAIL_CHARS)),
    output: headAndTail(maskSecrets(found.output), OUTPUT_CHARS),
  };
}

/** `test/a.test.js::adds` */
export function splitSelector(selector: string): { path: string; name?: string } {
  const at = selector.indexOf("::");
  return at < 0 ? { path: selector } : { path: selector.slice(0, at), name: selector.slice(at + 2) };
}

/** The files in which the tests of a check are. */
export const testPaths = ({ tests = [] }: EvidenceCheck): string[] => [
  ...new Set(tests.map((selector) => splitSelector(selector).path)),
];

/** Files that the check may be made of: its tests, and what the words of its command name. */
export const pathsOf = (check: EvidenceCheck): string[] => [
  ...testPaths(check),
  ...new Set((check.argv ?? []).map((word) => word.replace(/^(?:\.\/)+/, ""))),
];

/**
 * Whether what an assertion refutes on stubs did not pass before the work either. Where its file failed to load then, no
 * case of it ran. Undefined: it does; else the name of a case that only the stubs broke.
 */
export function refutedOnlyOnStubs(check: EvidenceCheck, { base, stubs }: { base: Verdict; stubs: Verdict }) {
  if (!check.tests) return undefined;
  const refuted = check.tests.flatMap((selector) =>
    casesOf(selector, stubs.tests.cases).filter(
      ({ status, message = "" }) => (status === "failed" || status === "error") && redBy(message, status) === "refuted",
    ),
  );
  const passedBefore = new Set(base.tests.cases.filter(({ status }) => status === "passed").map(({ name }) => name));
  return refuted.some(({ name }) => !passedBefore.has(name)) ? undefined : refuted[0]?.name;
}

function testsOutcome(selectors: string[], { tests, missingPackages }: Verdict): Outcome {
  const { output } = tests;
  const cases = selectors.map((selector) => ({ selector, found: casesOf(selector, tests.cases) }));
  const broken = cases.flatMap(({ found }) => found).filter(({ status }) => status === "failed" || status === "error");
  const [first] = broken;
  if (first) {
    const shown = broken.map(({ name, message = "" }) => `${name}\n${message}`).join("\n\n");
    const statuses = new Set(broken.map((one) => redBy(one.message ?? "", one.status)));
    // One assertion that fails shows that the check looks; what else breaks around it changes nothing.
    const status = statuses.has("refuted") ? "refuted" : statuses.has("missing") ? "missing" : "failed";
    const telling = broken.find((one) => redBy(one.message ?? "", one.status) === status) ?? first;
    return { status, detail: `${telling.name}: ${lineOf(telling.message)}`, output: shown };
  }
  if (isUnknown(tests.status, tests.reason))
    return { status: "unknown", detail: tests.detail ?? tests.reason ?? tests.status, output };
  const absent = cases.find(({ found }) => !found.some(({ status }) => status === "passed"));
  if (absent)
    return { status: "missing", detail: `${absent.selector}: no such test ran${hintOn(absent.selector)}`, output };
  if (missingPackages.length > 0 && tests.status !== "passed")
    return { status: "unknown", detail: `${missingPackages.join(", ")} cannot be installed here`, output };
  const count = new Set(cases.flatMap(({ found }) => found.map(({ name }) => name))).size;
  return { status: "passed", detail: `${count} passed`, output: "" };
}

/** Go names its tests by package. */
const hintOn = (selector: string): string =>
  splitSelector(selector).path.endsWith(".go")
    ? "; test files of Go are not matched by name: use argv, such as go test ./price -run TestPrice"
    : "";

/** Ended by a limit or by the sandbox, or not begun. */
const isUnknown = (status: string, reason = ""): boolean =>
  status === "timed_out" || status === "crashed" || (status === "not_run" && reason !== "nothing_to_check");

function casesOf(selector: string, cases: TestCase[]): TestCase[] {
  const { path, name } = splitSelector(selector);
  return cases.filter((one) => isOf(one, path) && (name === undefined || hasName(one.name, name)));
}

/** Whether two selectors choose the same tests, as far as these have run: `test/a.test.js` has but one, `adds`. */
export function isSameSelection(one: string, other: string, { tests }: Verdict): boolean {
  const [first = "[]", second] = [one, other].map((each) =>
    JSON.stringify([...new Set(casesOf(each, tests.cases).map(({ name }) => name))].toSorted()),
  );
  return one === other || (first !== "[]" && first === second);
}

/** `test/a.test.js > suite > adds` is named by `adds`, `suite > adds` and, as pytest does, `suite::adds`. */
function hasName(full: string, name: string): boolean {
  const wanted = partsOf(name);
  const all = partsOf(full.endsWith("]") ? full.slice(0, Math.max(full.indexOf("["), 0)) : full);
  return full.endsWith(name) || wanted.every((part, at) => all.at(at - wanted.length) === part);
}

/** unittest separates by points what has no blanks. */
const partsOf = (name: string): string[] =>
  name
    .split("::")
    .flatMap((part) => part.split(">"))
    .map((part) => part.trim())
    .flatMap((part) => (part.includes(" ") || part.includes("/") ? [part] : part.split(".")));

function commandOutcome({ expect = {} }: EvidenceCheck, { command }: Verdict): Outcome {
  if (!command) return { status: "unknown", detail: "the command was not run", output: "" };
  const { status, exitCode, stdout, stderr, reason, detail } = command;
  const output = [stdout, stderr].filter((part) => part.trim() !== "").join("\n");
  if (status === "not_found") return { status: "missing", detail: detail ?? "the command was not found", output };
  if (exitCode === null || status === "timed_out" || status === "crashed" || status === "not_run")
    return { status: "unknown", detail: detail ?? reason ?? status, output };
  const wanted = expect.exit ?? 0;
  const isExit = exitCode === wanted;
  const isText = expect.stdout === undefined || sameText(stdout, expect.stdout);
  if (isExit && isText) return { status: "passed", detail: `exit ${exitCode}`, output: "" };
  const why = isExit
    ? `it printed ${JSON.stringify(oneLine(stdout, 80))} and not ${JSON.stringify(oneLine(expect.stdout ?? "", 80))}`
    : `exit ${exitCode} and not ${wanted}: ${lineOf(stderr || stdout)}`;
  // Its expectation is its assertion, unless the program broke before it could be looked at.
  const how = output.split("\n").some(isAssertion) ? "refuted" : redBy(output, "failed");
  const isAsserted = how === "failed" && isExit;
  return { status: isAsserted ? "refuted" : how, detail: why, output };
}

/** A runner that is started as a command indents what it says of each test, in words or in the diagnostics of TAP. */
function isAssertion(line: string): boolean {
  const [, type = ""] = TYPED.exec(line.trimStart()) ?? TAP_NAME.exec(line) ?? [];
  return ASSERTIONS.test(type);
}

const TAP_NAME = /^ +name: '(\w+)'$/;

/** Line ends and blanks at the end are the terminal's. */
const sameText = (one: string, other: string): boolean => plain(one) === plain(other);
const plain = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .join("\n")
    .trimEnd();

/** What the message of a red test, or the output of a command, shows. */
function redBy(text: string, status: string): "refuted" | "missing" | "failed" {
  const { type, message } = problemIn(text);
  if (status !== "error" && (ASSERTIONS.test(type) || EXPECTED.test(message))) return "refuted";
  return MISSING_TYPES.test(type) || MISSING.test(message) ? "missing" : "failed";
}

const ASSERTIONS = /^(?:AssertionError|AssertionFailedError|JestAssertionError|Failed)$/;
/** Runners whose expectations throw ordinary errors. */
const EXPECTED = /^ ?:? ?expect\(/;
const MISSING_TYPES = /^(?:ModuleNotFoundError|ImportError|FileNotFoundError|NameError|ReferenceError)$/;
const MISSING =
  /Cannot find (?:module|package)|MODULE_NOT_FOUND|does not provide an export named|No such file or directory|ENOENT|not found|can't open file|is not (?:a function|a constructor|defined)|has no attribute/;

/** The exception that ended it, and what is said of it. */
function problemIn(text: string): { type: string; message: string } {
  const lines = text.split("\n").map((line) => line.trimEnd());
  const marked = markedLine(lines);
  if (marked?.startsWith("assert ")) return { type: "AssertionError", message: marked };
  const isTraceback = lines.some((line) => line.startsWith("Traceback (most recent call last)"));
  const line =
    marked ?? (isTraceback ? lines.findLast((each) => TYPED.test(each)) : lines.find((each) => TYPED.test(each)));
  const [whole = "", type = ""] = TYPED.exec(line ?? "") ?? [];
  return line === undefined ? { type: "", message: text } : { type, message: line.slice(whole.length) };
}

/** pytest marks what ended a test, and the causes of that before it. */
function markedLine(lines: string[]): string | undefined {
  const last = lines.findLastIndex((line) => line.startsWith("E   "));
  if (last < 0) return undefined;
  let first = last;
  while (first > 0 && lines[first - 1]?.startsWith("E   ")) first -= 1;
  return lines[first]?.slice(4);
}

const TYPED = /^(?:Uncaught )?(?:\w+\.)*([A-Z]\w*(?:Error|Exception|Failed)|Failed|Error)(?: \[\w+\])?(?=:|$)/;

/** The line that says most. */
function lineOf(text = ""): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return (markedLine(lines) ?? lines[0] ?? "no words").trim();
}
