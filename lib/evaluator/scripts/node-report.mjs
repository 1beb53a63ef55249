// A reporter for Node's test runner: writes every case as it ends, so that a run that dies has reported how far it came.
import { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { cwd, versions } from "node:process";
import { emit, guardReports, handOn, isRoot } from "./node-seal.mjs";

// The runner loads nothing but its reporters before it starts the processes of test files.
if (isRoot) handOn(ChildProcess);

async function* report(events) {
  const open = new Map();
  const tally = { failed: 0, files: new Map(), events: new Map() };
  for await (const { type, data } of events) {
    if (type === "test:dequeue") begin(data, open);
    count(type, data, tally.events);
    if (type === "test:complete" && isFile(data)) endFile(data, tally);
    else if (type === "test:complete") endTest(data, open, tally);
  }
  if (guardReports().foreign > 0)
    emit({ event: "tampered", what: "something else wrote to what test files tell of their end" });
  emit({ event: "end", exit: tally.failed > 0 ? 1 : 0 });
  yield "";
}

// biome-ignore lint/style/noDefaultExport: Node looks for a reporter under this name.
export { report as default };

/** Keeps the names of the tests that are being run in a file, outermost first. */
function begin(data, open) {
  if (isFile(data)) return;
  const names = open.get(data.file) ?? [];
  names[data.nesting] = data.name;
  open.set(data.file, names.slice(0, data.nesting + 1));
  if (data.type !== "suite") emit({ event: "start", name: nameOf(data, open) });
}

/** Suites, and tests with tests inside, count where a failure is their own. */
function endTest(data, open, tally) {
  const { error, type, duration_ms } = data.details;
  const own = error && error.failureType !== "subtestsFailed";
  if (!own && (error || type === "suite")) return;
  const skipped = data.skip !== undefined || data.todo !== undefined;
  tally.files.set(data.file, (tally.files.get(data.file) ?? 0) + 1);
  if (own && !skipped) tally.failed += 1;
  const outcome = skipped ? { status: "skipped" } : own ? failureOf(error.cause ?? error) : { status: "passed" };
  emit({ event: "case", name: nameOf(data, open), seconds: duration_ms / 1000, ...outcome });
}

/** What a file's process announced, and what it said at its end that it had announced. */
function count(type, data, events) {
  if (data.file === undefined) return;
  const seen = events.get(data.file) ?? { tests: 0, failed: 0, summaries: [] };
  events.set(data.file, seen);
  if (type === "test:summary") seen.summaries.push(data.counts);
  if (!/^test:(?:pass|fail)$/.test(type) || data.details?.type === "suite" || isFile(data)) return;
  seen.tests += 1;
  if (type === "test:fail" && data.todo === undefined) seen.failed += 1;
}

/** Since 22.12 the process of a file says at its end what it has run. */
const [major = 0, minor = 0] = versions.node.split(".").map(Number);
const summarizes = major > 22 || (major === 22 && minor >= 12);

/** How what arrived does not fit what the file's process saw of itself. */
function lieOf(ended, { tests, failed, summaries } = { tests: 0, failed: 0, summaries: [] }, { file, details }) {
  if (!ended.ended) return undefined;
  if (ended.replaced) return "the functions of node:test were replaced";
  if (ended.code !== 0 && !details.error) return "it failed, and is reported as if it had not";
  if (!ended.usesTestRunner) return tests > 0 ? "tests are reported that were never run" : undefined;
  if (!summarizes || (tests + summaries.length === 0 && !declaresTests(file))) return undefined;
  const [counts] = summaries;
  const fits = summaries.length === 1 && counts.tests === tests && counts.failed + counts.cancelled === failed;
  return fits ? undefined : "the tests that are reported are not those that were run";
}

/** A file is a case where it broke, or where it is a test without using the test runner. */
function endFile(data, tally) {
  const { error, duration_ms } = data.details;
  const ended = endOf(data.file);
  const common = { event: "case", name: pathOf(data.file), seconds: duration_ms / 1000 };
  const cases = tally.files.get(data.file) ?? 0;
  const own = error && error.failureType !== "subtestsFailed";
  const lie = own ? undefined : lieOf(ended, tally.events.get(data.file), data);
  if (lie) emit({ event: "tampered", what: `${pathOf(data.file)}: ${lie}` });
  if (own) emit({ ...common, ...breakOf(error, ended) });
  else if (!ended.ended) emit({ ...common, status: "error", message: "The process ended before its tests had ended." });
  else if (cases === 0 && !error && !ended.usesTestRunner && mayFail(data.file, ended))
    emit({ ...common, name: `${common.name} (the whole file)`, status: "passed" });
  else return;
  if (error || !ended.ended) tally.failed += 1;
}

/** One that only loads the runner ends without a word. */
const declaresTests = (file) => /\b(?:test|it|suite|describe)\s*(?:\.\s*\w+\s*)?\(/.test(codeOf(file));

/** What neither asserts nor throws ends well whatever it finds: that shows nothing. */
const mayFail = (file, ended) => ended.asserts || FAILING.test(codeOf(file) ?? "throw");
const FAILING = /\b(?:throw|assert\w*|expect|should|reject\w*|process\.(?:exit|exitCode|abort))\b/;

/** Without comments. */
function codeOf(file) {
  try {
    return readFileSync(file, "utf8").replace(/\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|\/\/.*|^#!.*/gm, "");
  } catch {
    return undefined;
  }
}

function breakOf(error, ended) {
  const how = error.signal ? `The process was ended by ${error.signal}.` : `The process ended with ${error.exitCode}.`;
  if (ended.broken) return { ...failureOf(ended.broken), status: "error" };
  return { status: "error", message: ended.leftEarly ? "process.exit was called before the tests had ended." : how };
}

function failureOf(problem) {
  const code = String(problem?.code ?? "");
  const missing = /MODULE_NOT_FOUND$/.test(code) ? packageIn(String(problem.message)) : undefined;
  return { status: "failed", message: String(problem?.stack ?? problem), ...(missing ? { missing } : {}) };
}

const packageIn = (message) => /Cannot find (?:package|module) '((?:@[^/']+\/)?[^./'@][^/']*)/.exec(message)?.[1];

/** What the guard in the file's own process reported of its end. */
const endOf = (file) => Object.assign({}, ...guardReports().lines.filter((line) => line.file === file));

/** A file is reported as a test of its own, named as its path. */
const isFile = (data) => data.nesting === 0 && data.file !== undefined && resolve(cwd(), data.name) === data.file;

const nameOf = (data, open) =>
  [pathOf(data.file), ...(open.get(data.file) ?? []).slice(0, data.nesting), data.name].filter(Boolean).join(" > ");

const pathOf = (file) => (file ? relative(cwd(), file) : "");
