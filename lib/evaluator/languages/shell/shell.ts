/** Shell scripts: read by the shell they are written for, and looked over by shellcheck where it is there. */
import type { Finding } from "../../../core/verdict/verdict.ts";
import {
  type Asked,
  type Kind,
  noTests,
  nothingToCheck,
  type Place,
  type SyntaxFound,
  type TestsFound,
  withoutToolchain,
} from "../../language.ts";
import { readByShells } from "./read-by-shells.ts";
import { findScripts, type Script } from "./scripts.ts";
import { shellcheck } from "./shellcheck.ts";

/** Scripts often have no ending; whether a file without one is a script, only its first line tells. */
const NAMED = /\.(?:sh|bash)$/;
const WITHOUT_ENDING = /(?:^|\/)[a-z][a-z\d_-]*$/;

export const shell: Kind = {
  name: "shell",
  owns: (path) => NAMED.test(path) || WITHOUT_ENDING.test(path),
  syntax,
  tests,
};

async function syntax(asked: Asked, place: Place): Promise<SyntaxFound> {
  const scripts = await scriptsOf(asked);
  if (scripts.length === 0) return nothingToCheck;
  const foreign = scripts.flatMap(windowsLines);
  const plain = scripts.filter(({ path }) => !foreign.some((finding) => finding.path === path));
  const read = await readByShells(plain, place);
  if ("status" in read) return read;
  const broken = new Set(read.findings.map(({ path }) => path));
  const looked = await shellcheck(
    plain.filter(({ path }) => !broken.has(path)),
    place,
  );
  const errors = [...foreign, ...read.findings, ...looked.errors];
  const warnings = looked.warnings.length > 0 ? { warnings: looked.warnings } : {};
  if (errors.length > 0) return { status: "failed", errors, ...warnings };
  if (read.missing.length > 0) return { ...withoutToolchain(read.missing.join(" and ")), errors, ...warnings };
  return { status: "passed", errors, ...warnings };
}

/** It is code, and nothing here is known to test it. */
async function tests({ tree }: Asked): Promise<TestsFound> {
  const scripts = await scriptsOf({ tree });
  return scripts.length > 0 ? noTests : { ...noTests, status: "not_run", reason: "nothing_to_check" };
}

function scriptsOf({ tree, paths }: Asked): Promise<Script[]> {
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
