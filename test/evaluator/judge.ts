/** Evaluates a project of the corpus and says where the verdict is not as labelled. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Finding, Verdict } from "../../lib/core/verdict/verdict.ts";
import type { TreeRequest } from "../../lib/evaluator/evaluate.ts";
import { noEnvironment } from "../../lib/evaluator/language.ts";
import type { Project } from "../../packages/evaluator-lab/corpus/project.ts";
import { withEnoughTime } from "../doubles/enough-time.ts";
import { evaluation, noPython, pythonCan, toolchain } from "../doubles/evaluation.ts";

export interface Judgement {
  project: Project;
  verdict: string;
  /** What differs from the label; empty: nothing. */
  wrong: string[];
  /** Why it could not be evaluated here. */
  skipped?: string;
  seconds: number;
}

const DEFAULT_MS = 60_000;

export async function judge(project: Project): Promise<Judgement> {
  const skipped = whyNot(project);
  if (skipped) return { project, verdict: "", wrong: [], skipped, seconds: 0 };
  const began = performance.now();
  const asked = askedOf(project);
  // What hangs is given little time: a computer that is busy may need more to get to where it hangs.
  const verdict = await withEnoughTime(
    project.timeoutMs ?? DEFAULT_MS,
    (timeoutMs) => evaluation(project.files, { ...asked, timeoutMs }),
    (found) => differences(project, found).length === 0 || !/timed_out|out_of_time/.test(JSON.stringify(found)),
  );
  const seconds = (performance.now() - began) / 1000;
  return { project, verdict: wordsOf(verdict), wrong: differences(project, verdict), seconds };
}

const has: Record<NonNullable<Project["needs"]>, boolean> = {
  python: !noPython,
  pytest: pythonCan("import pytest"),
  pyflakes: pythonCan("import pyflakes"),
  typescript: true,
  vitest: true,
  go: toolchain.tools.go !== undefined,
  make: spawnSync("make", ["--version"]).status === 0,
};

const whyNot = ({ needs }: Project): string | undefined => (needs && !has[needs] ? `needs ${needs}` : undefined);

/** What was installed with this project serves theirs. */
const INSTALLED = new Set<Project["needs"]>(["typescript", "vitest"]);
const nodeModules = join(import.meta.dirname, "../../node_modules");

function askedOf({
  kind,
  files,
  before = {},
  needs,
  words,
  timeoutMs = DEFAULT_MS,
  isInstalled,
}: Project): Partial<TreeRequest> {
  const paths = [...new Set([...Object.keys(files), ...Object.keys(before)])];
  const differing = kind === "prose" ? paths.filter((path) => files[path] !== before[path]) : paths;
  const changed = differing.map((path) => {
    const text = before[path];
    return text === undefined ? { path } : { path, before: new TextEncoder().encode(text) };
  });
  if (kind === "prose") return { prose: words ? { words } : {}, changed, timeoutMs };
  const environment = {
    ...noEnvironment,
    path: [join(nodeModules, ".bin")],
    nodeModules: [{ below: "", folder: nodeModules }],
  };
  return {
    syntax: {},
    tests: {},
    changed,
    timeoutMs,
    ...(isInstalled ? { environment: noEnvironment } : needs && INSTALLED.has(needs) ? { environment } : {}),
  };
}

const stated = ({ status, reason }: { status: string; reason?: string | undefined }): string =>
  reason ? `${status}: ${reason}` : status;

const countsOf = ({ tests }: Verdict): number[] => [tests.passed, tests.failed, tests.errors, tests.skipped];

const findingsOf = ({ syntax }: Verdict): string[] => inShort(syntax.errors);

const inShort = (findings: Finding[]): string[] => findings.map(({ path, line, rule }) => `${path}:${line} ${rule}`);

function wordsOf(verdict: Verdict): string {
  const findings = findingsOf(verdict);
  const counts = countsOf(verdict);
  return [
    `syntax ${stated(verdict.syntax)}`,
    ...(findings.length > 0 ? [findings.join(", ")] : []),
    `tests ${stated(verdict.tests)}`,
    ...(counts.some((count) => count > 0) ? [counts.join("/")] : []),
  ].join(" · ");
}

function differences({ label }: Project, verdict: Verdict): string[] {
  const found: [string, unknown, unknown][] = [
    ["syntax", label.syntax, stated(verdict.syntax)],
    ["tests", label.tests, stated(verdict.tests)],
    ["findings", label.findings ?? [], findingsOf(verdict)],
    ["counts", label.counts ?? countsOf(verdict), countsOf(verdict)],
    ["warnings", label.warnings ?? [], label.warnings ? inShort(verdict.syntax.warnings ?? []) : []],
    ["missing", label.missing ?? [], verdict.missingPackages],
  ];
  return found.flatMap(([what, wanted, got]) =>
    JSON.stringify(wanted) === JSON.stringify(got)
      ? []
      : [`${what}: ${JSON.stringify(wanted)} was labelled, ${JSON.stringify(got)} was found`],
  );
}
