/**
 * Which parts of the long checks a landing runs: those whose sources changed since the landing before, and one sixth of
 * the rest, so that six landings in a row run everything. Where nearly everything changed there is no time for all of it,
 * and a third is run. `.ci/part` holds the sixth and the commit of the landing before.
 *
 *   node .ci/parts.ts tests         prints test files of the integration project
 *   node .ci/parts.ts due FILE…     prints those of these test files that are due
 *   node .ci/parts.ts suites        prints the other checks, a line each: the name and the words of the command
 *   node .ci/parts.ts measurements  prints which times the bench takes
 */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { INTEGRATION } from "../vitest.config.ts";
import { MUTATIONS, measurements, SUITES, type Suite, sourcesOfTest } from "./suites.ts";

export const PARTS = 6;

export interface Landing {
  /** From 0 to 5. */
  part: number;
  /** Paths; absent: everything counts as changed. */
  changed?: string[];
  /** Before a release everything is run, with its full counts. */
  isRelease: boolean;
}

const isBelow = (path: string, sources: string[]): boolean => sources.some((source) => path.startsWith(source));

export const isChanged = ({ changed }: Landing, sources: string[]): boolean =>
  changed === undefined || changed.some((path) => isBelow(path, sources));

/** Each text has its turn in one landing of six, whatever texts are beside it; or in two, where turns are of three. */
export const hasTurn = ({ part }: Landing, text: string, turns = PARTS): boolean =>
  [...text].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003, 7) % turns === part % turns;

/** What is due, or a third of it where that is more than there is time for. */
const inTime = (landing: Landing, due: string[], most: number): string[] =>
  landing.isRelease || due.length <= most ? due : due.filter((each) => hasTurn(landing, each, PARTS / 2));

const MOST_TESTS = 60;
const MOST_MUTATIONS = 20;

/** A test that changed is run, and so is one that no source is named for: what is about every run. */
export function testsOf(landing: Landing, tests: string[]): string[] {
  const always = tests.filter((test) => sourcesOfTest(test).length === 0);
  const due = tests.filter((test) => {
    const sources = sourcesOfTest(test);
    return sources.length > 0 && (isChanged(landing, [...sources, test]) || hasTurn(landing, test));
  });
  return [...always, ...inTime(landing, due, MOST_TESTS)];
}

export interface Check {
  name: string;
  command: string[];
}

export function checksOf(landing: Landing): Check[] {
  const mutations = MUTATIONS.filter(({ name, source }) => isChanged(landing, [source]) || hasTurn(landing, name));
  const names = mutations.map(({ name }) => name);
  return [...SUITES, mutating(inTime(landing, names, MOST_MUTATIONS))].flatMap((suite) => {
    const command = suite.command({
      part: landing.part,
      isRelease: landing.isRelease,
      isChanged: (...sources) => isChanged(landing, sources),
    });
    return command ? [{ name: suite.name, command }] : [];
  });
}

const mutating = (names: string[]): Suite => ({
  name: "the laboratory finds out lines that are broken on purpose",
  command: () => (names.length > 0 ? ["npm", "run", "faults", "--", "--mutate", ...names] : undefined),
});

export function readLanding(): Landing {
  const [part = "", commit = ""] = readFileSync(new URL("part", import.meta.url), "utf8")
    .trim()
    .split(/\s+/);
  if (!/^[0-5]$/.test(part)) throw new Error(`.ci/part must begin with a number from 0 to ${PARTS - 1}.`);
  const isRelease = process.env.L2MAC_RELEASE !== undefined;
  const changed = isRelease ? undefined : changedSince(commit);
  return { part: Number(part), isRelease, ...(changed ? { changed } : {}) };
}

/** Undefined where the commit is not known here, as in a shallow clone. */
function changedSince(commit: string): string[] | undefined {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const { status, stdout } = spawnSync("git", ["diff", "--name-only", commit, "HEAD"], { cwd, encoding: "utf8" });
  return status === 0 ? stdout.split("\n").filter(Boolean) : undefined;
}

if (import.meta.main) {
  const landing = readLanding();
  const [what, ...named] = process.argv.slice(2);
  if (what === "tests" || what === "due") {
    for (const test of testsOf(landing, what === "due" ? named : globSync(INTEGRATION))) console.log(test);
  } else if (what === "measurements") {
    for (const name of measurements(landing.part, landing.isRelease)) console.log(name);
  } else {
    for (const { name, command } of checksOf(landing)) console.log([name, ...command].join("\t"));
  }
}
