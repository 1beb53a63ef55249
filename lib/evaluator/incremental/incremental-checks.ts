/** Checks and tests of each kind of project: of everything, or of what can have changed since the last verdict. */
import type { Scope } from "../../core/verdict/verdict.ts";
import {
  type CheckRequest,
  type Language,
  noTests,
  nothingToCheck,
  type SyntaxResult,
  type TestsResult,
  type Workspace,
} from "../language.ts";
import type { Tree } from "../tree.ts";
import { digestsOf, type FileDigest, reachedSince } from "./changes.ts";
import { keptOfSyntax, keptOfTests, type LastResults, type LastSyntax } from "./last-results.ts";

/** The checks of one evaluation. */
export interface Checks {
  syntax(language: Language, request: CheckRequest, workspace: Workspace): Promise<SyntaxResult>;
  tests(language: Language, request: CheckRequest, workspace: Workspace): Promise<TestsResult>;
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

/** Remembers by owner, for as long as the owner is referenced. */
export function createMemory(clock: () => number): (settings: ChecksSettings) => Promise<Checks> {
  const kept = new WeakMap<object, LastResults>();
  return async ({ tree, memory, incremental }) => {
    const last = memory && kept.get(memory);
    // An evaluation that breaks leaves nothing to go out from.
    if (memory) kept.delete(memory);
    const digests = memory ? await digestsOf(tree, clock(), last?.digests) : new Map<string, FileDigest>();
    const reached = incremental && last ? await reachedSince(tree, last.digests, digests) : undefined;
    const now: LastResults = { digests, syntax: new Map(), tests: new Map() };
    const checks = createChecks({ tree, now, ...(reached && last ? { since: { reached, last } } : {}) });
    return { ...checks, remember: () => void (memory && kept.set(memory, now)) };
  };
}

interface ChangesSinceLast {
  reached: Set<string>;
  last: LastResults;
}

function createChecks({
  tree,
  now,
  since,
}: {
  tree: Tree;
  now: LastResults;
  since?: ChangesSinceLast;
}): Omit<Checks, "remember"> {
  const checked = { syntax: createLooked(), tests: createLooked() };
  return {
    async syntax(language, request, workspace) {
      const found = await syntaxOf(language, request, { workspace, since, checked: checked.syntax });
      const kept = keptOfSyntax(found);
      if (kept) now.syntax.set(language.name, kept);
      return found;
    },
    async tests(language, request, workspace) {
      const found = await testsOf(language, request, { workspace, since, checked: checked.tests });
      const kept = keptOfTests(found, tree.files);
      if (kept) now.tests.set(language.name, kept);
      return found;
    },
    scopes: () => ({ syntax: checked.syntax.scope(), tests: checked.tests.scope() }),
  };
}

interface CheckContext {
  workspace: Workspace;
  since: ChangesSinceLast | undefined;
  checked: CheckedFiles;
}

async function syntaxOf(
  language: Language,
  request: CheckRequest,
  { workspace, since, checked }: CheckContext,
): Promise<SyntaxResult> {
  const own = request.tree.files.filter(language.owns);
  const all = async (): Promise<SyntaxResult> => {
    checked.add(own, own);
    return language.syntax(request, workspace);
  };
  const last = request.paths ? undefined : since?.last.syntax.get(language.name);
  if (!since || !last) return all();
  const files = new Set([...since.reached, ...last.files]);
  const again = own.filter((path) => files.has(path));
  const found =
    again.length === 0
      ? asBefore(last)
      : await language.syntax({ ...request, paths: again, sinceLast: true }, workspace);
  // What was wrong may have hidden what else could not be checked.
  if (!found || (last.status === "failed" && found.status !== "failed")) return all();
  checked.add(again, own);
  return found;
}

const asBefore = ({ status }: LastSyntax): SyntaxResult | undefined =>
  status === "failed" ? undefined : status === "nothing" ? nothingToCheck : { status, errors: [] };

async function testsOf(
  language: Language,
  request: CheckRequest,
  { workspace, since, checked }: CheckContext,
): Promise<TestsResult> {
  const run = async (given: CheckRequest): Promise<TestsResult> => language.tests?.(given, workspace) ?? noTests;
  const last = since?.last.tests.get(language.name);
  const files = request.paths || last ? await language.testFiles?.(request.tree) : undefined;
  if (!files) return run(request);
  const wanted = request.paths
    ? new Set(request.paths)
    : new Set([...(since?.reached ?? files), ...(last?.failing ?? [])]);
  const chosen = files.filter((path) => wanted.has(path));
  if (request.paths) {
    checked.add(chosen.length > 0 ? chosen : files, files);
    return run(request);
  }
  if (last && chosen.length === 0) {
    checked.add([], files);
    return { ...noTests, status: "passed", runner: last.runner };
  }
  const found = await run({ ...request, paths: chosen });
  const telling = keptOfTests(found, files) !== undefined || hasEndedEarly(found);
  checked.add(telling ? chosen : files, files);
  return telling ? found : run(request);
}

const hasEndedEarly = ({ status, reason }: TestsResult): boolean =>
  status === "crashed" || status === "timed_out" || reason === "out_of_time";

interface CheckedFiles {
  add(files: string[], of: string[]): void;
  scope(): Scope | undefined;
}

function createLooked(): CheckedFiles {
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
