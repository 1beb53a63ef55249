/** Measures what a check costs: the syntax of one changed file, and suites against their plain runners. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import type { Evaluator } from "../lib/core/ports.ts";
import { packTree } from "../lib/pack/pack.ts";
import { openEvaluator } from "../lib/sandbox/open-evaluator.ts";
import { lay } from "./evaluator.ts";
import { javascriptProject, jsonProject, type Project, pythonProject, typescriptProject } from "./projects.ts";
import { median, milliseconds, type Row } from "./table.ts";

const SIZES = [10, 200, 2_000];
const CHANGES = 15;
const SYNTAX_AIM_MS = 40;
const SMALL_AIM_MS = 150;
const LONG_AIM = 0.1;
const TIMEOUT_MS = 180_000;

type Files = Project["files"];

export async function checks(): Promise<Row[]> {
  const home = mkdtempSync(join(tmpdir(), "l2mac-bench-"));
  try {
    const { evaluator, toolchain, sealed } = openEvaluator({ home, env: process.env, announce: () => {} });
    const rows = [load(`sealed: ${sealed.sealed}`)];
    for (const [name, projects] of kindsOf(toolchain.python !== undefined))
      for (const size of SIZES)
        rows.push(
          await changedFile(
            evaluator,
            projects.map((one) => one(size)),
            `${name}, ${size} files`,
          ),
        );
    for (const suite of suitesOf(toolchain)) rows.push(...(await overPlain(evaluator, suite, home)));
    return [...rows, load("at the end")];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const load = (when: string): Row => ({
  what: `load of the machine (${when})`,
  figure: (loadavg()[0] ?? 0).toFixed(1),
  aim: "",
});

const kindsOf = (hasPython: boolean): [string, ((count: number) => Project)[]][] => [
  ["JavaScript", [javascriptProject]],
  ["TypeScript", [typescriptProject]],
  ["JSON", [jsonProject]],
  ...(hasPython
    ? [
        ["Python", [pythonProject]] as [string, (typeof pythonProject)[]],
        ["JavaScript, Python and JSON", [javascriptProject, pythonProject, jsonProject]] as [
          string,
          (typeof pythonProject)[],
        ],
      ]
    : []),
];

let runs = 0;

function asking({ evaluate }: Evaluator, files: Files) {
  const pack = packTree(undefined, changesOf(files));
  runs += 1;
  const runId = `01CHECKS${runs}`;
  const base = { key: runId, load: async () => pack };
  return async (asked: object, edited: Files = {}): Promise<number> => {
    const began = performance.now();
    const common = { runId, base, changes: changesOf(edited), install: true, timeoutMs: TIMEOUT_MS };
    const { syntax, tests } = await evaluate({ ...common, ...asked });
    for (const { status } of [syntax, tests])
      if (status !== "passed" && status !== "not_run")
        throw new Error(`It ${status}: ${JSON.stringify({ syntax, tests })}`);
    return performance.now() - began;
  };
}

const changesOf = (files: Files) =>
  Object.entries(files).map(([path, text]) => ({ path, content: new TextEncoder().encode(text) }));

/** As a turn does it: one file of each project is written, and those are checked. */
async function changedFile(evaluator: Evaluator, projects: Project[], what: string): Promise<Row> {
  const check = asking(evaluator, Object.assign({}, ...projects.map(({ files }) => files)));
  const paths = projects.map(({ edited }) => edited);
  const took: number[] = [];
  for (let change = 0; change <= CHANGES; change += 1) {
    const edits = projects.map(
      ({ edited, files, comment }) => [edited, `${files[edited]}${comment(change)}\n`] as const,
    );
    took.push(await check({ syntax: { paths } }, Object.fromEntries(edits)));
  }
  const [first = 0, ...later] = took;
  return aimed(
    `syntax of one changed file: ${what} (median; first ${first.toFixed(0)} ms)`,
    median(later),
    SYNTAX_AIM_MS,
  );
}

const aimed = (what: string, ms: number, aim: number): Row => ({
  ...{ what, figure: milliseconds(ms), aim: `≤ ${aim} ms`, reached: ms <= aim },
});

interface Suite {
  name: string;
  files: Files;
  /** The plain runner, in the folder. */
  plain: string[];
  times: number;
  /** It waits most of its time: once says as much as often. */
  isLong?: true;
}

function suitesOf({ node, python }: { node: string; python?: string }): Suite[] {
  const small = { times: 7 };
  const nodeTests = [node, "--test"];
  const long =
    'import { test } from "node:test";\nfor (let n = 0; n < 110; n += 1) test("waits " + n, () => new Promise((done) => setTimeout(done, 100)));\n';
  const found: Suite[] = [
    { ...small, name: "node --test", files: javascriptProject(10).files, plain: nodeTests },
    {
      times: 1,
      isLong: true,
      name: "node --test",
      files: { "package.json": '{"type":"module"}', "long.test.js": long },
      plain: nodeTests,
    },
  ];
  if (!python) return found;
  const cases =
    "import unittest\nclass T(unittest.TestCase):\n    def test_one(self):\n        self.assertEqual(1, 1)\n";
  found.push({
    ...small,
    name: "unittest",
    files: { "test_a.py": cases, "test_b.py": cases },
    plain: [python, "-m", "unittest"],
  });
  if (spawnSync(python, ["-c", "import pytest"]).status === 0)
    found.push({
      ...small,
      name: "pytest",
      files: pythonProject(10, 5).files,
      plain: [python, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
    });
  return found;
}

/** One after the other, so that all meet the same neighbours on the machine. */
async function overPlain(evaluator: Evaluator, suite: Suite, home: string): Promise<Row[]> {
  const check = asking(evaluator, suite.files);
  const folder = lay(suite.files, join(home, `plain-${runs}`));
  const plain: number[] = [];
  const tests: number[] = [];
  const both: number[] = [];
  // The first run warms the file system, and finds out what is installed.
  await check({ syntax: {}, tests: {} });
  for (let run = 0; run < suite.times; run += 1) {
    const alone = runAlone(suite.plain, folder);
    const ofTests = (await check({ tests: {} })) - alone;
    const ofBoth = (await check({ syntax: {}, tests: {} })) - alone;
    plain.push(alone);
    tests.push(ofTests);
    both.push(ofBoth);
  }
  const of = median(plain);
  const over = `over plain ${suite.name}, which takes ${milliseconds(of)} (${suite.times > 1 ? "median" : "once"})`;
  const whole: Row = { what: "… with the syntax of every file", figure: milliseconds(median(both)), aim: "" };
  if (!suite.isLong) return [aimed(`tests ${over}`, median(tests), SMALL_AIM_MS), whole];
  const share = median(tests) / of;
  const figure = `${(share * 100).toFixed(1)} %`;
  return [{ what: `tests ${over}`, figure, aim: `≤ ${LONG_AIM * 100} %`, reached: share <= LONG_AIM }, whole];
}

function runAlone([program = "", ...args]: string[], cwd: string): number {
  const began = performance.now();
  const env = { PATH: process.env.PATH ?? "", PYTHONDONTWRITEBYTECODE: "1", PYTHONHASHSEED: "0" };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stdout}${stderr}`);
  return performance.now() - began;
}
