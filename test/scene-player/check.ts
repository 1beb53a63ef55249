/** Checks a rehearsed project with the real tools of its language, in a temporary folder. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { notRun, type Verdict } from "../../lib/core/verdict/verdict.ts";

export type Check = (files: ReadonlyMap<string, string>, asked: { paths: string[]; tests: boolean }) => Verdict;

/** What an evaluator would say that never looks. */
export const alwaysGreen: Check = () => ({
  ...notRun("nothing_to_check"),
  syntax: { status: "passed", errors: [] },
  tests: { ...notRun("").tests, status: "passed", passed: 1 },
});

interface Language {
  ending: string;
  syntax: (path: string) => string[];
  tests: string[];
  failed: RegExp;
}

const node: Language = {
  ending: ".js",
  syntax: (path) => [process.execPath, "--check", path],
  tests: [process.execPath, "--test", "--test-reporter=tap"],
  failed: /^not ok \d+ - (.*)$/gm,
};

const python: Language = {
  ending: ".py",
  syntax: (path) => ["python3", "-m", "py_compile", path],
  tests: ["python3", "-m", "unittest"],
  failed: /^(?:FAIL|ERROR): (\S+)/gm,
};

export const withNode: Check = remembered(checkWith(node));
export const withPython: Check = remembered(checkWith(python));

export const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** A scene comes by the same trees whenever it is played. */
function remembered(check: Check): Check {
  const verdicts = new Map<string, Verdict>();
  return (files, asked) => {
    const key = JSON.stringify([[...files].sort(), asked]);
    const verdict = verdicts.get(key) ?? check(files, asked);
    verdicts.set(key, verdict);
    return verdict;
  };
}

function checkWith(language: Language): Check {
  return (files, { paths, tests }) =>
    inFolder(files, (folder) => {
      const suspects = paths.filter((path) => path.endsWith(language.ending) && files.has(path));
      const errors = suspects.flatMap((path) => {
        const { ok, output } = run(folder, language.syntax(path));
        return ok ? [] : [{ path, message: output.split("\n").findLast((line) => /Error/.test(line)) ?? "unreadable" }];
      });
      const verdict: Verdict = {
        ...notRun("not_asked"),
        syntax: { status: errors.length > 0 ? "failed" : "passed", errors },
      };
      return tests ? { ...verdict, tests: testsOf(folder, language) } : verdict;
    });
}

function testsOf(folder: string, language: Language): Verdict["tests"] {
  const { ok, output } = run(folder, language.tests);
  const names = Array.from(output.matchAll(language.failed), (match) => match[1] ?? "");
  const cases = names.map((name) => ({ name, status: "failed" as const }));
  return { status: ok ? "passed" : "failed", passed: 1, failed: names.length, errors: 0, skipped: 0, cases, output };
}

/** Runs something over the project's files in a folder that is gone afterwards. */
export function inFolder<T>(files: ReadonlyMap<string, string>, use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "rehearsal-"));
  try {
    for (const [path, content] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function run(folder: string, [name = "", ...args]: string[]): { ok: boolean; output: string } {
  // A test runner that finds itself inside another one reports to that one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(name, args, {
    cwd: folder,
    encoding: "utf8",
    env: { ...env, PYTHONDONTWRITEBYTECODE: "1" },
  });
  return { ok: status === 0, output: stdout + stderr };
}
