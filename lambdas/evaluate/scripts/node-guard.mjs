// Loaded before a test file: a file that leaves before its tests have ended must not look as if they had passed.
import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import process from "node:process";
import { isMainThread } from "node:worker_threads";

/** An exit code that nobody else uses. */
const LEFT_EARLY = 87;
const { L2MAC_REPORT: report } = process.env;
/** Loaded for one script that is a test by itself, and not for whatever a test command starts. */
const ALONE = import.meta.url.endsWith("?alone");

if (isMainThread && report) guard();

function guard() {
  let quiet = false;
  process.on("beforeExit", () => {
    quiet = true;
  });
  process.on("exit", (code) => {
    const leftEarly = code === 0 && !quiet && usesTestRunner();
    if (leftEarly) process.exitCode = LEFT_EARLY;
    tell({ ended: !leftEarly, leftEarly, usesTestRunner: usesTestRunner(), asserts: loaded("assert") });
    if (ALONE && !usesTestRunner()) reportAsOneCase(code);
  });
  process.on("uncaughtExceptionMonitor", (problem) => {
    const { message, stack, code } = Object(problem);
    tell({ broken: { message: String(message ?? problem), stack: String(stack ?? problem), code } });
  });
}

const tell = (line) => appendFileSync(`${report}.guard`, `${JSON.stringify({ ...line, file: process.argv[1] })}\n`);

function reportAsOneCase(code) {
  const name = relative(process.cwd(), process.argv[1] ?? "");
  const lines = [
    { event: "case", name, status: code === 0 ? "passed" : "failed" },
    { event: "end", exit: code },
  ];
  for (const line of lines) appendFileSync(report, `${JSON.stringify(line)}\n`);
}

/** Node's own list of what it has loaded. */
const loaded = (name) => process.moduleLoadList.includes(`NativeModule ${name}`);
const usesTestRunner = () => loaded("test");
