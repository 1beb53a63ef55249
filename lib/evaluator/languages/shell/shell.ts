/** Shell scripts: read by the shell they are written for, and looked over by shellcheck where it is there. */
import type { Finding } from "../../../core/verdict/verdict.ts";
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
import { readByShells } from "./read-by-shells.ts";
import { findScripts, type Script } from "./scripts.ts";
import { shellcheck } from "./shellcheck.ts";

/** Scripts often have no ending; whether a file without one is a script, only its first line tells. */
const NAMED = /\.(?:sh|bash)$/;
const WITHOUT_ENDING = /(?:^|\/)[a-z][a-z\d_-]*$/;

export const shell: Language = {
  name: "shell",
  probes: { shellcheck: { find: plainTool("shellcheck"), without: "shell scripts are only parsed by their shells" } },
  owns: (path) => NAMED.test(path) || WITHOUT_ENDING.test(path),
  syntax,
  tests,
};

async function syntax(request: CheckRequest, workspace: Workspace): Promise<SyntaxResult> {
  const scripts = await scriptsOf(request);
  if (scripts.length === 0) return nothingToCheck;
  const foreign = scripts.flatMap(windowsLines);
  const plain = scripts.filter(({ path }) => !foreign.some((finding) => finding.path === path));
  const read = await readByShells(plain, workspace);
  if ("status" in read) return read;
  const broken = new Set(read.findings.map(({ path }) => path));
  const looked = await shellcheck(
    plain.filter(({ path }) => !broken.has(path)),
    workspace,
  );
  const errors = [...foreign, ...read.findings, ...looked.errors];
  const warnings = looked.warnings.length > 0 ? { warnings: looked.warnings } : {};
  if (errors.length > 0) return { status: "failed", errors, ...warnings };
  if (read.missing.length > 0) return { ...withoutToolchain(read.missing.join(" and ")), errors, ...warnings };
  return { status: "passed", errors, ...warnings };
}

/** It is code, and nothing here is known to test it. */
async function tests({ tree }: CheckRequest): Promise<TestsResult> {
  const scripts = await scriptsOf({ tree });
  return scripts.length > 0 ? noTests : { ...noTests, status: "not_run", reason: "nothing_to_check" };
}

function scriptsOf({ tree, paths }: CheckRequest): Promise<Script[]> {
  const there = new Set(tree.files);
  const named = (paths ?? tree.files).filter((path) => there.has(path) && shell.owns(path));
  return findScripts(tree.folder, named, (path) => NAMED.test(path));
}

function windowsLines({ path, text }: Script): Finding[] {
  const at = text.indexOf("\r\n");
  if (at === -1) return [];
  const line = text.slice(0, at).split("\n").length;
  const message = "the line ends as on Windows: a shell takes the carriage return for a part of the command";
  return [{ path, line, column: 1, message, rule: "shell" }];
}
