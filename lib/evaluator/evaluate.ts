/** Evaluates a tree on disk: syntax, tests and one command, each bounded and sealed, into one verdict. */
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { fileURLToPath } from "node:url";
import type { AskedCommand, TestScope } from "../core/ports.ts";
import type { CheckReason, Scope, SmokeVerdict, Verdict } from "../core/verdict/verdict.ts";
import { exchangedTest } from "./changed-files.ts";
import { type Checks, createMemory } from "./incremental/incremental-checks.ts";
import type { Language, ProjectEnvironment, SyntaxResult, TestsResult, Toolchain } from "./language.ts";
import { withoutRepeats } from "./languages/python/undeclared-packages.ts";
import { LANGUAGES } from "./languages.ts";
import { packagesFound } from "./packages/packages-found.ts";
import { type CommandOutcome, runProjectCommand } from "./project-command.ts";
import { checkProse, type ProseRequest } from "./prose/prose.ts";
import type { ReadyCheckers } from "./ready-checkers.ts";
import { mergeSyntax, mergeTests } from "./report/merge-verdicts.ts";
import { withoutKeys } from "./report/redact.ts";
import { withRelativePaths } from "./report/relative-paths.ts";
import { smokeOf } from "./smoke/smoke.ts";
import { type ChangedFile, stubsIn } from "./stubs/changed-stubs.ts";
import { listTree, type Tree } from "./tree.ts";
import { uncheckedFilesIn } from "./unchecked-files.ts";
import { type OpenWorkspace, openWorkspace, type Seal } from "./workspace.ts";

export interface EvaluateParts {
  seal: Seal;
  toolchain: Toolchain;
  /** The folder in which private folders are made; nothing stays in it. */
  scratch: string;
  /** The folder of scripts that run inside other languages; the one beside this file. */
  scripts?: string;
  /** A folder for what outlasts an evaluation, such as a compiled standard library. Absent: nothing does. */
  kept?: string;
  languages?: Language[];
  /** Of the user, whom no verdict names. Absent: of this process. */
  home?: string;
  /** Where this process outlasts an evaluation: checkers that stay ready. */
  checkers?: ReadyCheckers;
  now: () => number;
  newId: () => string;
}

export interface TreeRequest {
  syntax?: { paths?: string[] };
  tests?: TestScope;
  command?: AskedCommand;
  prose?: ProseRequest;
  smoke?: true;
  /** What differs from the last accepted tree: only this is searched for stubs. */
  changed?: ChangedFile[];
  environment?: ProjectEnvironment;
  /** The owner of these verdicts: results are remembered for as long as it is referenced. */
  memory?: object;
  /** Skips what cannot have changed since the owner's last verdict. */
  incremental?: true;
  timeoutMs: number;
  signal?: AbortSignal;
}

export type EvaluateTree = (folder: string, request: TreeRequest) => Promise<Verdict>;

/** Parsing needs far less: beyond this, or its share of a longer evaluation, it hangs. */
const SYNTAX_MS = 60_000;
const SYNTAX_SHARE = 1 / 3;
/** What the toolchain's own preparations may take, once. */
const PREPARE_MS = 150_000;
/** Findings reported at most. */
const FINDINGS = 100;
const SCRIPTS = fileURLToPath(new URL("scripts", import.meta.url));

export function createEvaluate(parts: EvaluateParts): EvaluateTree {
  const { now, newId, languages = LANGUAGES, scripts = SCRIPTS } = parts;
  const checksOf = createMemory(now);
  return async (folder, request) => {
    const began = now();
    const deadline = createDeadline(now, began + request.timeoutMs);
    const tree = await listTree(await realpath(folder));
    if (request.memory && isWhole(request)) await parts.checkers?.end(request.memory);
    const settings = { ...parts, ...request, scripts, tree, leftMs: deadline.leftMs };
    const workspace = await openWorkspace(settings);
    try {
      const checks = await checksOf({ tree, ...remembering(request) });
      const context = {
        deadline,
        tree,
        workspace,
        checks,
        languages: languages.filter((language) => concerns(language, tree, request)),
      };
      if (request.tests || (request.syntax && !request.syntax.paths))
        await deadline.beside(PREPARE_MS, () => prepareAll(context));
      const syntax = await checkSyntax(request, context);
      const tests = await runTests(request, context);
      const command = request.command && (await runProjectCommand(request.command, tree, workspace));
      const smoke = request.smoke && (await smokeOf(settings));
      checks.remember();
      const found = combineResults({ syntax, tests, command, smoke, environment: request.environment });
      const verdict = { ...found, milliseconds: now() - began, requestId: newId() };
      return withRelativePaths(withoutKeys(verdict), {
        own: [`${workspace.folder}/tree`, workspace.folder, tree.folder],
        environment: request.environment,
        home: parts.home ?? homedir(),
      });
    } finally {
      await workspace.close();
    }
  };
}

/** A file that is gone still concerns the files that import it. */
const concerns = (language: Language, tree: Tree, { syntax }: TreeRequest): boolean =>
  tree.files.some(language.owns) || (syntax?.paths ?? []).some(language.owns);

/** Verdicts on some paths are not remembered. */
const remembering = ({ syntax, tests, memory, incremental }: TreeRequest) =>
  memory && (syntax ?? tests) && !syntax?.paths && !tests?.paths && !tests?.oneByOne
    ? { memory, incremental: incremental ?? false }
    : {};

/** What looks at everything relies on nothing from before. */
const isWhole = ({ syntax, incremental }: TreeRequest): boolean =>
  syntax !== undefined && !syntax.paths && !incremental;

interface Deadline {
  leftMs(): number;
  /** A shorter deadline for a part, so that it ends before the whole does. */
  within<T>(milliseconds: number, part: () => Promise<T>): Promise<T>;
  /** A part with a deadline of its own, by whose time the whole ends later. */
  beside(milliseconds: number, part: () => Promise<void>): Promise<void>;
}

function createDeadline(now: () => number, latest: number): Deadline {
  let end = latest;
  let ends = end;
  return {
    leftMs: () => ends - now(),
    async within(milliseconds, part) {
      ends = Math.min(end, now() + milliseconds);
      const result = await part();
      ends = end;
      return result;
    },
    async beside(milliseconds, part) {
      const began = now();
      ends = began + milliseconds;
      await part();
      end += now() - began;
      ends = end;
    },
  };
}

interface CheckContext {
  deadline: Deadline;
  tree: Tree;
  languages: Language[];
  workspace: OpenWorkspace;
  checks: Checks;
}

async function prepareAll({ languages, tree, workspace }: CheckContext): Promise<void> {
  for (const { prepare } of languages) await prepare?.(tree, workspace);
}

async function checkSyntax(
  request: TreeRequest,
  { deadline, tree, languages, workspace, checks }: CheckContext,
): Promise<SyntaxResult> {
  const { syntax, prose, changed = [] } = request;
  if (!syntax && !prose) return { ...notAsked, errors: [] };
  const found: SyntaxResult[] = [];
  if (syntax) {
    for (const language of languages) {
      const check = () => checks.syntax(language, { tree, ...pathsIn(tree, syntax) }, workspace);
      const share = Math.max(language.syntaxMs ?? SYNTAX_MS, request.timeoutMs * SYNTAX_SHARE);
      found.push(await deadline.within(share, check));
    }
    found.push(...(await stubsIn(tree, changed, syntax.paths)), ...uncheckedFilesIn(tree, changed, syntax.paths));
  }
  if (prose) found.push(await checkProse(tree, { ...prose, ...pathsIn(tree, prose) }, changed));
  return withScope(mergeSyntax(found), checks.scopes().syntax);
}

async function runTests(
  { tests }: TreeRequest,
  { tree, languages, workspace, checks }: CheckContext,
): Promise<TestsResult> {
  if (!tests) return { ...mergeTests([]), ...notAsked };
  const found: TestsResult[] = [];
  const scope = { ...pathsIn(tree, tests), ...(tests.oneByOne ? { oneByOne: tests.oneByOne } : {}) };
  for (const language of languages)
    if (language.tests && tree.files.some(language.owns))
      found.push(await checks.tests(language, { tree, before: [...found], ...scope }, workspace));
  return withScope(withTestsKept(mergeTests(found), tree, await workspace.copied()), checks.scopes().tests);
}

/** What ran as a test must be what the tree has: code that exchanges a test proves nothing. */
function withTestsKept(found: TestsResult, tree: Tree, copied: string | undefined): TestsResult {
  const exchanged = copied === undefined ? undefined : exchangedTest(tree, copied);
  if (exchanged === undefined) return found;
  return { ...found, status: "crashed", reason: "tampered", detail: `${exchanged} was changed while the tests ran` };
}

/** A folder means the files in it. */
const pathsIn = ({ files }: Tree, { paths }: { paths?: string[] }): { paths?: string[] } =>
  paths ? { paths: paths.flatMap((path) => [path, ...files.filter((file) => file.startsWith(`${path}/`))]) } : {};

const withScope = <Found extends object>(found: Found, scope: Scope | undefined): Found & { scope?: Scope } =>
  scope ? { ...found, scope } : found;

const notAsked: { status: "not_run"; reason: CheckReason } = { status: "not_run", reason: "not_asked" };

interface Results {
  syntax: SyntaxResult;
  tests: TestsResult;
  command: CommandOutcome | undefined;
  smoke: SmokeVerdict | undefined;
  environment: ProjectEnvironment | undefined;
}

function combineResults({
  syntax,
  tests,
  command,
  smoke,
  environment,
}: Results): Omit<Verdict, "milliseconds" | "requestId"> {
  const { missingPackages, truncated, ...testsVerdict } = tests;
  const more = syntax.errors.length - FINDINGS;
  return {
    syntax: {
      ...syntax,
      errors: syntax.errors.slice(0, FINDINGS),
      ...(syntax.warnings ? { warnings: withoutRepeats(syntax.warnings).slice(0, FINDINGS) } : {}),
    },
    tests: testsVerdict,
    ...(command ? { command: command.verdict } : {}),
    ...(smoke ? { smoke } : {}),
    ...packagesFound(environment, missingPackages),
    truncated: [
      ...(more > 0 ? [`${more} of ${syntax.errors.length} findings`] : []),
      ...truncated,
      ...(command?.truncated ?? []),
    ],
  };
}
