// Loaded before a test file: a file that leaves before its tests have ended must not look as if they had passed.
import { EventEmitter } from "node:events";
import { relative } from "node:path";
import process from "node:process";
import { isMainThread } from "node:worker_threads";
import { emit, isAlone, isRoot, reports, tell } from "./node-seal.mjs";

/** An exit code that no one else uses. */
const LEFT_EARLY = 87;
const { moduleLoadList } = process;

if (isMainThread && reports && (isAlone || !isRoot)) guard();

let asserts = false;

function guard() {
  const assert = process.getBuiltinModule("node:assert");
  for (const each of [assert.strict, assert]) keep(each);
  let quiet = false;
  let endTests;
  hear({
    newListener(name, listener) {
      if (name === "beforeExit" && listener.name === "exitHandler" && usesTestRunner()) endTests ??= listener;
    },
    beforeExit() {
      // Where it was removed with others, the runner would not say what it has run.
      if (!quiet && endTests && !process.listeners("beforeExit").includes(endTests)) endTests();
      quiet = true;
    },
    exit(code) {
      const leftEarly = code === 0 && !quiet && usesTestRunner();
      if (leftEarly) process.exitCode = LEFT_EARLY;
      tell({
        ended: !leftEarly,
        leftEarly,
        usesTestRunner: usesTestRunner(),
        asserts: asserts || loaded("assert/strict"),
        code,
        replaced: replaced(),
        file: process.argv[1],
      });
      if (isAlone && !usesTestRunner()) reportAsOneCase(code);
    },
    uncaughtExceptionMonitor(problem) {
      const { message, stack, code } = Object(problem);
      tell({
        broken: { message: String(message ?? problem), stack: String(stack ?? problem), code },
        file: process.argv[1],
      });
    },
  });
}

/** Before all listeners, and without being one: tests may remove those of their process, and be right to. */
function hear(heard) {
  process.emit = function (name, ...rest) {
    if (this === process && Object.hasOwn(heard, name)) heard[name](...rest);
    return Reflect.apply(EventEmitter.prototype.emit, this, [name, ...rest]);
  };
}

/** Assertions cannot be replaced: an attempt is reported or has no effect. */
function keep(object) {
  for (const [name, { value, enumerable, configurable }] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
    if (typeof value !== "function" || !configurable) continue;
    const get = () => {
      asserts = true;
      return value;
    };
    Object.defineProperty(object, name, { get, enumerable, configurable: false });
  }
}

/** The test runner has several names for each of its functions. */
function replaced() {
  if (!usesTestRunner()) return false;
  const runner = process.getBuiltinModule("node:test");
  return runner.it !== runner.test || runner.suite !== runner.describe;
}

function reportAsOneCase(code) {
  const name = relative(process.cwd(), process.argv[1] ?? "");
  emit({ event: "case", name, status: code === 0 ? "passed" : "failed" });
  emit({ event: "end", exit: code });
}

/** Node's own list of what it has loaded. */
const loaded = (name) => moduleLoadList.includes(`NativeModule ${name}`);
const usesTestRunner = () => loaded("test");
