/** Checks and tests of each kind of project: of everything, or of what can have changed since the last verdict. */
import type { Scope } from "../../core/verdict/verdict.ts";
import {
  type Asked,
  type Kind,
  noTests,
  nothingToCheck,
  type Place,
  type SyntaxFound,
  type TestsFound,
} from "../language.ts";
import type { Tree } from "../tree.ts";
import { digestsOf, reachedSince } from "./changes.ts";
import { type Known, type KnownSyntax, keptOfSyntax, keptOfTests } from "./last-results.ts";

/** The checks of one evaluation. */
export interface Checks {
  syntax(kind: Kind, asked: Asked, place: Place): Promise<SyntaxFound>;
  tests(kind: Kind, asked: Asked, place: Place): Promise<TestsFound>;
  /** How much was looked at, where it was not everything. */
  scopes(): { syntax: Scope | undefined; tests: Scope | undefined };
  /** What was found is what the next one goes out from. */
  remember(): void;
}

export interface ChecksSettings {
  tree: Tree;
  /** Whose verdicts these are. What is known is forgotten with it. Absent: nothing is remembered. */
  memory?: object;
  /** What is known of the rest may be kept. */
  incremental?: boolean;
}

/** Remembers by whoever asks, for as long as they are there. */
export function createMemory(): (settings: ChecksSettings) => Promise<Checks> {
  const kept = new WeakMap<object, Known>();
  return async ({ tree, memory, incremental }) => {
    const last = memory && kept.get(memory);
    // An evaluation that breaks leaves nothing to go out from.
    if (memory) kept.delete(memory);
    const digests = memory ? await digestsOf(tree) : new Map<string, string>();
    const reached = incremental && last ? await reachedSince(tree, last.digests, digests) : undefined;
    const now: Known = { digests, syntax: new Map(), tests: new Map() };
    const checks = createChecks({ tree, now, ...(reached && last ? { since: { reached, last } } : {}) });
    return { ...checks, remember: () => void (memory && kept.set(memory, now)) };
  };
}

interface Since {
  reached: Set<string>;
  last: Known;
}

function createChecks({ tree, now, since }: { tree: Tree; now: Known; since?: Since }): Omit<Checks, "remember"> {
  const looked = { syntax: createLooked(), tests: createLooked() };
  return {
    async syntax(kind, asked, place) {
      const found = await syntaxOf(kind, asked, { place, since, looked: looked.syntax });
      const kept = keptOfSyntax(found);
      if (kept) now.syntax.set(kind.name, kept);
      return found;
    },
    async tests(kind, asked, place) {
      const found = await testsOf(kind, asked, { place, since, looked: looked.tests });
      const kept = keptOfTests(found, tree.files);
      if (kept) now.tests.set(kind.name, kept);
      return found;
    },
    scopes: () => ({ syntax: looked.syntax.scope(), tests: looked.tests.scope() }),
  };
}

interface Looking {
  place: Place;
  since: Since | undefined;
  looked: Looked;
}

async function syntaxOf(kind: Kind, asked: Asked, { place, since, looked }: Looking): Promise<SyntaxFound> {
  const own = asked.tree.files.filter(kind.owns);
  const all = async (): Promise<SyntaxFound> => {
    looked.add(own, own);
    return kind.syntax(asked, place);
  };
  const last = asked.paths ? undefined : since?.last.syntax.get(kind.name);
  if (!since || !last) return all();
  const files = new Set([...since.reached, ...last.files]);
  const again = own.filter((path) => files.has(path));
  const found =
    again.length === 0 ? asBefore(last) : await kind.syntax({ ...asked, paths: again, sinceLast: true }, place);
  // What was wrong may have hidden what else could not be checked.
  if (!found || (last.status === "failed" && found.status !== "failed")) return all();
  looked.add(again, own);
  return found;
}

const asBefore = ({ status }: KnownSyntax): SyntaxFound | undefined =>
  status === "failed" ? undefined : status === "nothing" ? nothingToCheck : { status, errors: [] };

async function testsOf(kind: Kind, asked: Asked, { place, since, looked }: Looking): Promise<TestsFound> {
  const run = async (given: Asked): Promise<TestsFound> => kind.tests?.(given, place) ?? noTests;
  const last = since?.last.tests.get(kind.name);
  const files = asked.paths || last ? await kind.testFiles?.(asked.tree) : undefined;
  if (!files) return run(asked);
  const wanted = asked.paths ? new Set(asked.paths) : new Set([...(since?.reached ?? files), ...(last?.failing ?? [])]);
  const chosen = files.filter((path) => wanted.has(path));
  if (asked.paths) {
    looked.add(chosen.length > 0 ? chosen : files, files);
    return run(asked);
  }
  if (last && chosen.length === 0) {
    looked.add([], files);
    return { ...noTests, status: "passed", runner: last.runner };
  }
  const found = await run({ ...asked, paths: chosen });
  const telling = keptOfTests(found, files) !== undefined || ENDED_EARLY.has(found.status);
  looked.add(telling ? chosen : files, files);
  return telling ? found : run(asked);
}

const ENDED_EARLY = new Set(["crashed", "timed_out"]);

interface Looked {
  add(files: string[], of: string[]): void;
  scope(): Scope | undefined;
}

function createLooked(): Looked {
  const files = new Set<string>();
  const of = new Set<string>();
  return {
    add(some, all) {
      for (const path of some) files.add(path);
      for (const path of all) of.add(path);
    },
    scope: () => (files.size < of.size ? { files: files.size, of: of.size } : undefined),
  };
}
