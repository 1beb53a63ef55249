/** C and C++ that a Makefile compiles: what it compiles for the tests is checked thereby, and no other file. */
import { posix } from "node:path";
import { noTests, type SyntaxResult, type TestsResult, type Workspace, withoutToolchain } from "../../language.ts";
import type { Tree } from "../../tree.ts";
import { findingsIn } from "../cmake/build-output.ts";
import type { Declaration } from "./declaration.ts";
import { type DeclaredRun, runDeclared } from "./run-declared.ts";

export const COMPILED = new Set(["C", "C++"]);
const SOURCE = /\.(?:c|cc|cpp)$/;
const SHOWN = 5;

/** One run serves a whole evaluation: as the check of syntax, and as the tests. */
const runs = new WeakMap<Workspace, Promise<DeclaredRun>>();

async function runMake(declaration: Declaration, tree: Tree, workspace: Workspace): Promise<DeclaredRun> {
  const run = runs.get(workspace) ?? runDeclared(declaration, tree, workspace);
  runs.set(workspace, run);
  return run;
}

export async function testsByMake(declaration: Declaration, tree: Tree, workspace: Workspace): Promise<TestsResult> {
  const { tests, printed } = await runMake(declaration, tree, workspace);
  const lacking = tests.status === "failed" ? lackingIn(printed, tree) : undefined;
  return lacking ? { ...noTests, ...lacking, runner: declaration.name, output: lacking.detail } : tests;
}

export async function checkByMake(declaration: Declaration, tree: Tree, workspace: Workspace): Promise<SyntaxResult> {
  const { tests, printed } = await runMake(declaration, tree, workspace);
  const copy = await workspace.copy();
  const { errors, warnings } = findingsIn(printed, copy.folder);
  const lacking = tests.status === "failed" ? lackingIn(printed, tree) : undefined;
  if (lacking) return { ...lacking, errors: [] };
  if (errors.length > 0) return { status: "failed", errors, warnings };
  if (tests.status === "not_run" || tests.status === "not_found")
    return { ...withoutToolchain(tests.detail ?? declaration.name), errors: [] };
  const left = await uncompiled(declaration, tree, workspace);
  if (left.length === 0) return { status: "passed", errors: [], warnings };
  const more = left.length > SHOWN ? ` and ${left.length - SHOWN} more` : "";
  const names = `${left.slice(0, SHOWN).join(", ")}${more}`;
  return { ...withoutToolchain(`a check for what "${declaration.name}" does not compile (${names})`), errors: [] };
}

const HEADER = /: fatal error: ([\w./+-]+): No such file or directory$/gm;
const LIBRARY = /cannot find -l([\w.+-]+)/g;

/** Headers and libraries of this computer that it does not have. A header of the tree is the project's own matter. */
function lackingIn(printed: string, tree: Tree) {
  const headers = [...printed.matchAll(HEADER)].map(([, header = ""]) => header);
  const foreign = headers.filter((header) => !tree.files.some((path) => `/${path}`.endsWith(`/${header}`)));
  const names = [...new Set([...foreign, ...[...printed.matchAll(LIBRARY)].map(([, name = ""]) => `lib${name}`)])];
  if (names.length === 0) return undefined;
  const detail = names.map((name) => `${name} is not available here: its library has to be installed`).join("\n");
  return { status: "not_run" as const, reason: "package_missing" as const, detail };
}

/** Sources that no compiler of make's commands is given: another part of the project, or one that is forgotten. */
async function uncompiled({ program, args }: Declaration, tree: Tree, workspace: Workspace): Promise<string[]> {
  const sources = tree.files.filter((path) => SOURCE.test(path));
  const copy = await workspace.copy();
  const { stdout } = await copy.run({ argv: [program, "-n", "-B", ...args], outputBytes: OUTPUT_BYTES });
  const commands = stdout.replaceAll("\\\n", " ").split(/\n|;|&&/);
  const names = commands
    .filter((line) => COMPILER.test(line) && !FORGIVING.test(line))
    .flatMap((line) => line.split(/[\s'"]+/).map((word) => posix.basename(word)));
  const patterns = names.filter((name) => name.includes("*"));
  const named = new Set(names);
  return sources.filter((path) => {
    const name = posix.basename(path);
    return !named.has(name) && !patterns.some((pattern) => posix.matchesGlob(name, pattern));
  });
}

const COMPILER = /^\s*(?:ccache\s+)?[\w./-]*?(?:\bcc|gcc|g\+\+|c\+\+|clang(?:\+\+)?)(?:-[\d.]+)?\s/;
/** What hides errors, or goes on after them. */
const FORGIVING = /\|\||2>|&>/;
const OUTPUT_BYTES = 1024 * 1024;
