/** Reads the events of `go test -json` as a report. Pure. The tests wrote part of them: they are untrusted. */
import * as z from "zod";
import { type Capture, createCapture } from "../../process/capture.ts";
import { CASES, type Report, reportedCase } from "../../report/read-report.ts";

const Event = z.object({
  Action: z.string(),
  Package: z.string().optional(),
  ImportPath: z.string().optional(),
  Test: z.string().optional(),
  Output: z.string().optional(),
  Elapsed: z.number().nonnegative().optional(),
  FailedBuild: z.string().optional(),
});
type Event = z.infer<typeof Event>;

/** Kept of what was printed. */
const ANSWER_BYTES = 8 * 1024 * 1024;

type Case = Report["cases"][number];

interface EventReport {
  cases: Map<string, Case>;
  /** What each running test, each package and each build printed. */
  printed: Map<string, string>;
  /** The running tests of each package. */
  running: Map<string, Set<string>>;
  /** Packages of which a test failed. */
  failing: Set<string>;
  output: Capture;
  /** There were more cases than are kept. */
  truncated: boolean;
}

interface EventReader {
  readLine(line: string): void;
  close(): { report: Report; output: string; truncated: boolean };
}

/** `module`: what its packages are called beyond their folders; `folder`: where it lies in the tree. */
export function openEvents(module: { name: string; folder: string }): EventReader {
  const state: EventReport = {
    cases: new Map(),
    printed: new Map(),
    running: new Map(),
    failing: new Set(),
    output: createCapture(ANSWER_BYTES),
    truncated: false,
  };
  const shown = (name: string): string => shownAs(name, module);
  return {
    readLine: (line) => {
      const event = parsed(line);
      if (event) take(event, state, shown);
    },
    close: () => {
      const cases = withoutParents(state.cases).map(reportedCase);
      const running = [...state.running.values()].flatMap((keys) => [...keys].map((key) => nameOf(key, shown)));
      const report = { cases, running, unseen: [], truncated: state.truncated };
      return { report, output: state.output.text(), truncated: state.output.truncated() };
    },
  };
}

function parsed(line: string): Event | undefined {
  try {
    return Event.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

function take(event: Event, state: EventReport, shown: (name: string) => string): void {
  const name = event.Package ?? event.ImportPath ?? "";
  const key = event.Test === undefined ? name : `${name}\0${event.Test}`;
  if (event.Action === "run") beginTest(name, key, state);
  else if (event.Action.endsWith("output")) takeOutput(key, event.Output ?? "", state);
  else if (event.Action === "build-fail") addCase(`build ${name}`, state, buildCase(name, state, shown));
  else if (!STATUS.has(event.Action)) return;
  else if (event.Test === undefined) endPackage(event, name, { state, shown });
  else endTest(event, key, { state, shown });
}

const STATUS = new Map<string, "passed" | "failed" | "skipped">([
  ["pass", "passed"],
  ["fail", "failed"],
  ["skip", "skipped"],
]);
/** What Go adds around what a test prints. */
const FRAME = /^\s*(?:=== (?:RUN|PAUSE|CONT|NAME)\b|--- (?:PASS|FAIL|SKIP|BENCH):)|^(?:FAIL|ok|\?)\s/;
const KEPT_CHARS = 8_000;
/** Tests whose output is kept while they run. */
const PRINTING = 2_000;

function beginTest(name: string, key: string, { running }: EventReport): void {
  const own = running.get(name) ?? new Set();
  running.set(name, own);
  if (own.size < CASES) own.add(key);
}

function takeOutput(key: string, text: string, { printed, output }: EventReport): void {
  if (FRAME.test(text) || text === "FAIL\n" || text === "PASS\n") return;
  output.push(Buffer.from(text));
  const before = printed.get(key) ?? (printed.size < PRINTING ? "" : undefined);
  if (before !== undefined && before.length < KEPT_CHARS) printed.set(key, (before + text).slice(0, KEPT_CHARS));
}

interface EventContext {
  state: EventReport;
  shown: (name: string) => string;
}

function endTest({ Action, Elapsed }: Event, key: string, { state, shown }: EventContext): void {
  const status = STATUS.get(Action) ?? "failed";
  const message = (state.printed.get(key) ?? "").trim();
  const panicked = status === "failed" && /^(?:panic|fatal error): /m.test(message);
  const [name = ""] = key.split("\0");
  state.running.get(name)?.delete(key);
  state.printed.delete(key);
  if (status === "failed") state.failing.add(name);
  addCase(key, state, {
    name: nameOf(key, shown),
    status: panicked ? "error" : status,
    ...(Elapsed === undefined ? {} : { seconds: Elapsed }),
    ...(status === "failed" && message !== "" ? { message } : {}),
  });
}

function addCase(key: string, state: EventReport, found: Case): void {
  if (state.cases.size < CASES || state.cases.has(key)) state.cases.set(key, found);
  else state.truncated = true;
}

/** A package fails by itself where no test of it did: before the first, after the last, or by leaving in between. */
function endPackage({ Action, FailedBuild }: Event, name: string, { state, shown }: EventContext): void {
  const left = state.running.get(name) ?? [];
  state.running.delete(name);
  for (const key of left) {
    state.failing.add(name);
    const message = "The process ended before this test did.";
    addCase(key, state, { name: nameOf(key, shown), status: "error", message });
  }
  if (Action !== "fail" || FailedBuild !== undefined || state.failing.has(name)) return;
  const message = (state.printed.get(name) ?? "").trim() || "The package failed, and no test of it did.";
  addCase(name, state, { name: shown(name) || ".", status: "error", message });
}

/** Where it is a package from elsewhere that could not be had, its name is what is missing. */
function buildCase(name: string, { printed }: EventReport, shown: (name: string) => string): Case {
  const message = (printed.get(name) ?? "").trim();
  const missing = NOT_HAD.test(message) ? { missing: name } : {};
  return { name: `${shown(name.replace(/ \[.*/, "")) || "."} (build)`, status: "error", message, ...missing };
}

const NOT_HAD = /module lookup disabled|no required module provides|missing go\.sum entry/;

/** Tests with tests inside count where a failure is their own. */
function withoutParents(cases: Map<string, Case>): Case[] {
  const failing = ({ status }: Case): boolean => status === "failed" || status === "error";
  const all = [...cases];
  const parents = new Map<string, boolean>();
  for (const [key, found] of all)
    for (const parent of parentsOf(key)) parents.set(parent, (parents.get(parent) ?? false) || failing(found));
  return all.flatMap(([key, found]) => {
    const inside = parents.get(key);
    return inside === undefined || (failing(found) && !inside) ? [found] : [];
  });
}

/** Names are the tests' own: one of nothing but slashes must not cost more than others. */
const DEPTH = 20;
const NAME_CHARS = 1_000;

function parentsOf(key: string): string[] {
  const start = key.indexOf("\0");
  const parents: string[] = [];
  if (start === -1 || key.length > NAME_CHARS) return parents;
  for (let at = key.lastIndexOf("/"); at > start && parents.length < DEPTH; at = key.lastIndexOf("/", at - 1))
    parents.push(key.slice(0, at));
  return parents;
}

function nameOf(key: string, shown: (name: string) => string): string {
  const [name = "", test = ""] = key.split("\0");
  return [shown(name), test].filter((part) => part !== "").join(" > ");
}

/** A package is called as its folder. */
function shownAs(name: string, module: { name: string; folder: string }): string {
  if (name !== module.name && !name.startsWith(`${module.name}/`)) return name;
  return [module.folder, name.slice(module.name.length + 1)].filter((part) => part !== "").join("/");
}
