/** Code in languages that no other kind knows: checked as the project itself declares, and never silently passed. */
import {
  type CheckRequest,
  type Language,
  noTests,
  nothingToCheck,
  type TestsResult,
  type Workspace,
  withoutToolchain,
} from "../../language.ts";
import { plainTool } from "../../process/find-program.ts";
import type { Tree } from "../../tree.ts";
import { declarationIn, mayDeclare } from "./declaration.ts";
import { runDeclared } from "./run-declared.ts";

/** By the ending of their files. */
const LANGUAGES: Record<string, string> = {
  c: "C",
  cc: "C++",
  clj: "Clojure",
  cpp: "C++",
  cs: "C#",
  dart: "Dart",
  ex: "Elixir",
  exs: "Elixir",
  hs: "Haskell",
  java: "Java",
  jl: "Julia",
  kt: "Kotlin",
  lua: "Lua",
  php: "PHP",
  pl: "Perl",
  r: "R",
  rb: "Ruby",
  rs: "Rust",
  scala: "Scala",
  swift: "Swift",
  zig: "Zig",
};

export const otherLanguages: Language = {
  name: "other languages",
  probes: { make: { find: plainTool("make"), without: "Makefile targets are not run" } },
  owns: (path) => languageOf(path) !== undefined || mayDeclare(path),
  async syntax({ tree, paths }) {
    const found = languagesIn(paths ?? tree.files, tree);
    return found.length === 0 ? nothingToCheck : { ...withoutToolchain(checkFor(found)), errors: [] };
  },
  tests,
};

/**
 * A declared check runs where there is code that no other kind can test, or where no other kind found tests: a Makefile
 * that only calls pytest must not make its tests run twice, nor fail because there are none yet.
 */
async function tests({ tree, before = [] }: CheckRequest, workspace: Workspace): Promise<TestsResult> {
  const languages = languagesIn(tree.files, tree);
  const untested = before.every(({ status }) => status === "not_found");
  const declared = languages.length > 0 || untested ? await declarationIn(tree) : undefined;
  if (declared && !declared.callsKnownRunners) return runDeclared(declared, tree, workspace);
  if (languages.length === 0) return { ...noTests, status: "not_run", reason: "nothing_to_check" };
  const { detail, ...missing } = withoutToolchain(checkFor(languages));
  const why = `${detail}, and the project declares none (a Makefile with a target "test" or "check", or a test.sh)`;
  return { ...noTests, ...missing, detail: why, output: why };
}

const languageOf = (path: string): string | undefined => {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(LANGUAGES, ending) ? LANGUAGES[ending] : undefined;
};

/** The manifests with which a language of the evaluator's own checks such files. */
const BUILT_BY: Record<string, RegExp> = {
  Rust: /(?:^|\/)Cargo\.toml$/,
  C: /^CMakeLists\.txt$/,
  "C++": /^CMakeLists\.txt$/,
};

function languagesIn(paths: string[], { files }: Tree): string[] {
  const found = new Set(paths.flatMap((path) => languageOf(path) ?? []));
  return [...found].filter((name) => !files.some((path) => BUILT_BY[name]?.test(path)));
}

const checkFor = (languages: string[]): string => `a check for ${languages.join(" and ")}`;
