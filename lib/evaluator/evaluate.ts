/** Evaluates a tree on disk: syntax, tests and one command, each bounded and sealed, into one verdict. */
import { realpath } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { CheckReason, Scope, SmokeVerdict, Verdict } from "../core/verdict/verdict.ts";
import { type Checks, createMemory } from "./incremental/incremental-checks.ts";
import type { Kind, ProjectEnvironment, SyntaxFound, TestsFound, Toolchain } from "./language.ts";
import { KINDS } from "./languages.ts";
import { packagesFound } from "./packages/packages-found.ts";
import { toldOnce } from "./packages/undeclared-packages.ts";
import { type AskedCommand, type CommandFound, runAskedCommand } from "./project-command.ts";
import { type AskedProse, proseIn } from "./prose/prose.ts";
import { mergeSyntax, mergeTests } from "./report/merge-verdicts.ts";
import { withoutKeys } from "./report/redact.ts";
import { smokeOf } from "./smoke/smoke.ts";
import { type ChangedFile, stubsIn } from "./stubs/changed-stubs.ts";
import { listTree, type Tree } from "./tree.ts";
import { passedOverIn } from "./unchecked-files.ts";
import { type OpenPlace, openPlace, type Seal } from "./workspace.ts";

export interface EvaluateParts {
  seal: Seal;
  toolchain: Toolchain;
  /** The folder in which private folders are made; nothing stays in it. */
  scratch: string;
  /** The folder of scripts that run inside other languages; the one beside this file. */
  scripts?: string;
  /** A folder for what outlasts an evaluation, such as a compiled standard library. Absent: nothing does. */
  kept?: string;
  kinds?: Kind[];
  now: () => number;
  newId: () => string;
}

export interface AskedOfTree {
  syntax?: { paths?: string[] };
  tests?: { paths?: string[] };
  command?: AskedCommand;
  prose?: AskedProse;
  smoke?: true;
  /** What differs from the last accepted tree, which alone is searched for stubs. */
  changed?: ChangedFile[];
  environment?: ProjectEnvironment;
  /** Whose verdicts these are: what they said is remembered for as long as it is there. */
  memory?: object;
  /** What cannot have changed since the last of these verdicts is not looked at again. */
  incremental?: true;
  timeoutMs: number;
  signal?: AbortSignal;
}

export type EvaluateTree = (folder: string, asked: AskedOfTree) => Promise<Verdict>;

/** It only parses: when this is not enough, it hangs. */
const SYNTAX_MS = 60_000;
/** Findings that are told: who has more has other worries. */
const FINDINGS = 100;
const SCRIPTS = fileURLToPath(new URL("scripts", import.meta.url));

export function createEvaluate(parts: EvaluateParts): EvaluateTree {
  const { now, newId, kinds = KINDS, scripts = SCRIPTS } = parts;
  const checksOf = createMemory();
  return async (folder, asked) => {
    const began = now();
    const deadline = createDeadline(now, began + asked.timeoutMs);
    const tree = await listTree(await realpath(folder));
    const settings = { ...parts, ...asked, scripts, tree, leftMs: deadline.leftMs };
    const place = await openPlace(settings);
    try {
      const checks = await checksOf({ tree, ...remembering(asked) });
      const bench = { tree, place, checks, kinds: kinds.filter((kind) => concerns(kind, tree, asked)) };
      const syntax = await deadline.within(SYNTAX_MS, () => checkSyntax(asked, bench));
      const tests = await runTests(asked, bench);
      const command = asked.command && (await runAskedCommand(asked.command, tree, place));
      const smoke = asked.smoke && (await smokeOf(settings));
      checks.remember();
      const found = foundInAll({ syntax, tests, command, smoke, environment: asked.environment });
      const verdict = { ...found, milliseconds: now() - began, requestId: newId() };
      return withoutFolders(withoutKeys(verdict), [`${place.folder}/tree`, place.folder, tree.folder]);
    } finally {
      await place.close();
    }
  };
}

/** A file that is gone still concerns the files that import it. */
const concerns = (kind: Kind, tree: Tree, { syntax }: AskedOfTree): boolean =>
  tree.files.some(kind.owns) || (syntax?.paths ?? []).some(kind.owns);

/** Verdicts on some paths say nothing of the whole. */
const remembering = ({ syntax, tests, memory, incremental }: AskedOfTree) =>
  memory && (syntax ?? tests) && !syntax?.paths && !tests?.paths ? { memory, incremental: incremental ?? false } : {};

interface Deadline {
  leftMs(): number;
  /** A shorter deadline for a part, so that it speaks before the whole does. */
  within<T>(milliseconds: number, part: () => Promise<T>): Promise<T>;
}

function createDeadline(now: () => number, end: number): Deadline {
  let ends = end;
  return {
    leftMs: () => ends - now(),
    async within(milliseconds, part) {
      ends = Math.min(end, now() + milliseconds);
      const result = await part();
      ends = end;
      return result;
    },
  };
}

interface Bench {
  tree: Tree;
  kinds: Kind[];
  place: OpenPlace;
  checks: Checks;
}

async function checkSyntax(asked: AskedOfTree, { tree, kinds, place, checks }: Bench): Promise<SyntaxFound> {
  const { syntax, prose, changed = [] } = asked;
  if (!syntax && !prose) return { ...notAsked, errors: [] };
  const found: SyntaxFound[] = [];
  if (syntax) {
    for (const kind of kinds) found.push(await checks.syntax(kind, { tree, ...pathsIn(tree, syntax) }, place));
    found.push(...(await stubsIn(tree, changed, syntax.paths)), ...passedOverIn(tree, changed, syntax.paths));
  }
  if (prose) found.push(await proseIn(tree, { ...prose, ...pathsIn(tree, prose) }, changed));
  return withScope(mergeSyntax(found), checks.scopes().syntax);
}

async function runTests({ tests }: AskedOfTree, { tree, kinds, place, checks }: Bench): Promise<TestsFound> {
  if (!tests) return { ...mergeTests([]), ...notAsked };
  const found: TestsFound[] = [];
  for (const kind of kinds)
    if (kind.tests && tree.files.some(kind.owns))
      found.push(await checks.tests(kind, { tree, before: [...found], ...pathsIn(tree, tests) }, place));
  return withScope(mergeTests(found), checks.scopes().tests);
}

/** A folder stands for what is in it. */
const pathsIn = ({ files }: Tree, { paths }: { paths?: string[] }): { paths?: string[] } =>
  paths ? { paths: paths.flatMap((path) => [path, ...files.filter((file) => file.startsWith(`${path}/`))]) } : {};

const withScope = <Found extends object>(found: Found, scope: Scope | undefined): Found & { scope?: Scope } =>
  scope ? { ...found, scope } : found;

const notAsked: { status: "not_run"; reason: CheckReason } = { status: "not_run", reason: "not_asked" };

interface Parts {
  syntax: SyntaxFound;
  tests: TestsFound;
  command: CommandFound | undefined;
  smoke: SmokeVerdict | undefined;
  environment: ProjectEnvironment | undefined;
}

function foundInAll({
  syntax,
  tests,
  command,
  smoke,
  environment,
}: Parts): Omit<Verdict, "milliseconds" | "requestId"> {
  const { missingPackages, truncated, ...testsVerdict } = tests;
  const more = syntax.errors.length - FINDINGS;
  return {
    syntax: {
      ...syntax,
      errors: syntax.errors.slice(0, FINDINGS),
      ...(syntax.warnings ? { warnings: toldOnce(syntax.warnings).slice(0, FINDINGS) } : {}),
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

/** The same tree gives the same words, wherever it lay. */
function withoutFolders(verdict: Verdict, folders: string[]): Verdict {
  let text = JSON.stringify(verdict);
  for (const folder of folders) {
    const shown = JSON.stringify(folder).slice(1, -1);
    text = text.replaceAll(`file://${shown}/`, "").replaceAll(`${shown}/`, "").replaceAll(shown, ".");
  }
  return JSON.parse(text);
}
