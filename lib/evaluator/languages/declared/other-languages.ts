/** Code in languages that no other kind knows: checked as the project itself declares, and never silently passed. */
import { type SourceLanguage, sourceLanguageOf } from "../../../core/text/source-languages.ts";
import {
  type CheckRequest,
  type Language,
  noTests,
  nothingToCheck,
  type SyntaxResult,
  type TestsResult,
  type Workspace,
  withoutToolchain,
} from "../../language.ts";
import { plainTool } from "../../process/find-program.ts";
import { mergeSyntax } from "../../report/merge-verdicts.ts";
import type { Tree } from "../../tree.ts";
import { COMPILED, checkByMake, testsByMake } from "./compiled-by-make.ts";
import { declarationIn, mayDeclare } from "./declaration.ts";
import { runDeclared } from "./run-declared.ts";

export const otherLanguages: Language = {
  name: "other languages",
  probes: { make: { find: plainTool("make"), without: "Makefile targets are not run" } },
  owns: (path) => isOther(sourceLanguageOf(path)) || mayDeclare(path),
  syntaxMs: 150_000,
  syntax,
  tests,
};

async function syntax({ tree, paths, sinceLast }: CheckRequest, workspace: Workspace): Promise<SyntaxResult> {
  const found = languagesIn(paths ?? tree.files, tree);
  const declared = found.some((name) => COMPILED.has(name)) ? await declarationIn(tree) : undefined;
  const byMake = declared?.program === "make" && !declared.callsKnownRunners ? declared : undefined;
  const left = byMake ? found.filter((name) => !COMPILED.has(name)) : found;
  const others = left.length === 0 ? nothingToCheck : { ...withoutToolchain(checkFor(left)), errors: [] };
  // At each write they are not compiled: make compiles all of them, at the gate.
  if (!byMake || (paths && !sinceLast)) return others;
  return mergeSyntax([others, await checkByMake(byMake, tree, workspace)]);
}

/**
 * A declared check runs where there is code that no other kind can test, or where no other kind found tests: a Makefile
 * that only calls pytest must not make its tests run twice, nor fail because there are none yet.
 */
async function tests({ tree, before = [] }: CheckRequest, workspace: Workspace): Promise<TestsResult> {
  const languages = languagesIn(tree.files, tree);
  const untested = before.every(({ status }) => status === "not_found");
  const declared = languages.length > 0 || untested ? await declarationIn(tree) : undefined;
  if (declared?.program === "make" && !declared.callsKnownRunners) return testsByMake(declared, tree, workspace);
  if (declared && !declared.callsKnownRunners) return (await runDeclared(declared, tree, workspace)).tests;
  if (languages.length === 0) return { ...noTests, status: "not_run", reason: "nothing_to_check" };
  const { detail, ...missing } = withoutToolchain(checkFor(languages));
  const why = `${detail}, and the project declares none (a Makefile with a target "test" or "check", or a test.sh)`;
  return { ...noTests, ...missing, detail: why, output: why };
}

/** One that no folder of the evaluator checks, or not in every tree. */
const isOther = (language: SourceLanguage | undefined): language is SourceLanguage =>
  language !== undefined && !language.checkedWith?.test("");

const othersIn = (paths: string[]): SourceLanguage[] => [...new Set(paths.map(sourceLanguageOf).filter(isOther))];

const languagesIn = (paths: string[], { files }: Tree): string[] =>
  othersIn(paths)
    .filter(({ checkedWith }) => !files.some((path) => checkedWith?.test(path)))
    .map(({ name }) => name);

const checkFor = (languages: string[]): string => `a check for ${languages.join(" and ")}`;
