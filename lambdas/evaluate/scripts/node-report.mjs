// A reporter for Node's test runner: writes every case as it ends, so that a run that dies has told how far it came.
import { appendFileSync, readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { cwd, env } from "node:process";

async function* report(events) {
  const open = new Map();
  const tally = { failed: 0, files: new Map() };
  for await (const { type, data } of events) {
    if (type === "test:dequeue") begin(data, open);
    if (type === "test:complete" && isFile(data)) endFile(data, tally);
    else if (type === "test:complete") endTest(data, open, tally);
  }
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

/** A file is a case where it broke, or where it is a test without using the test runner. */
function endFile(data, tally) {
  const { error, duration_ms } = data.details;
  const told = guardOf(data.file);
  const common = { event: "case", name: pathOf(data.file), seconds: duration_ms / 1000 };
  const count = tally.files.get(data.file) ?? 0;
  if (error && error.failureType !== "subtestsFailed") emit({ ...common, ...breakOf(error, told) });
  else if (!told.ended) emit({ ...common, status: "error", message: "The process ended before its tests had ended." });
  else if (count === 0 && !error && !told.usesTestRunner && mayFail(data.file, told))
    emit({ ...common, name: `${common.name} (the whole file)`, status: "passed" });
  else return;
  if (error || !told.ended) tally.failed += 1;
}

/** What neither asserts nor throws ends well whatever it finds: that shows nothing. */
function mayFail(file, told) {
  if (told.asserts) return true;
  try {
    return FAILING.test(readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*|^#!.*/gm, ""));
  } catch {
    return true;
  }
}
const FAILING = /\b(?:throw|assert\w*|expect|should|reject\w*|process\.(?:exit|exitCode|abort))\b/;

function breakOf(error, told) {
  const how = error.signal ? `The process was ended by ${error.signal}.` : `The process ended with ${error.exitCode}.`;
  if (told.broken) return { ...failureOf(told.broken), status: "error" };
  return { status: "error", message: told.leftEarly ? "process.exit was called before the tests had ended." : how };
}

function failureOf(problem) {
  const code = String(problem?.code ?? "");
  const missing = /MODULE_NOT_FOUND$/.test(code) ? packageIn(String(problem.message)) : undefined;
  return { status: "failed", message: String(problem?.stack ?? problem), ...(missing ? { missing } : {}) };
}

const packageIn = (message) => /Cannot find (?:package|module) '((?:@[^/']+\/)?[^./'@][^/']*)/.exec(message)?.[1];

/** What the guard in the file's own process wrote. */
function guardOf(file) {
  const told = {};
  try {
    for (const line of readFileSync(`${env.L2MAC_REPORT}.guard`, "utf8").split("\n").filter(Boolean)) {
      const { file: about, ...rest } = JSON.parse(line);
      if (about === file) Object.assign(told, rest);
    }
  } catch {
    // No process of a test file came to its end.
  }
  return told;
}

/** A file is reported as a test of its own, named as its path. */
const isFile = (data) => data.nesting === 0 && data.file !== undefined && resolve(cwd(), data.name) === data.file;

const nameOf = (data, open) =>
  [pathOf(data.file), ...(open.get(data.file) ?? []).slice(0, data.nesting), data.name].filter(Boolean).join(" > ");

const pathOf = (file) => (file ? relative(cwd(), file) : "");

const emit = (line) => appendFileSync(env.L2MAC_REPORT, `${JSON.stringify(line)}\n`);
