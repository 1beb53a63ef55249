/** Finds the check that a project declares for itself, whatever it is written in: a target of make, or a script. */
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Tree } from "../../tree.ts";

export interface Declaration {
  /** What is run, as a person would type it. */
  name: string;
  /** The program that runs it, looked for where commands are. */
  program: string;
  args: string[];
  /** All that it does is to call test runners that other kinds of project call by themselves. */
  callsKnownRunners: boolean;
}

const MAKEFILES = ["GNUmakefile", "makefile", "Makefile"];
const SCRIPTS = [
  ...["test.sh", "tests.sh", "run_tests.sh", "run-tests.sh", "check.sh"],
  ...["scripts/test.sh", "scripts/run_tests.sh", "scripts/run-tests.sh", "script/test", "bin/test"],
  ...["test/run.sh", "test/run_tests.sh", "tests/run.sh", "tests/run_tests.sh"],
];
const DECLARING = new Set([...MAKEFILES, ...SCRIPTS]);
const DECLARATION_BYTES = 256 * 1024;

export const mayDeclare = (path: string): boolean => DECLARING.has(path);

export async function declarationIn(tree: Tree): Promise<Declaration | undefined> {
  const files = new Set(tree.files);
  const makefile = MAKEFILES.find((path) => files.has(path));
  const made = makefile && inMakefile(await textOf(tree, makefile));
  if (made) return made;
  for (const path of SCRIPTS.filter((each) => files.has(each))) {
    const found = inScript(path, await textOf(tree, path));
    if (found) return found;
  }
  return undefined;
}

async function textOf(tree: Tree, path: string): Promise<string> {
  const found = await lstat(join(tree.folder, path));
  return found.isFile() && found.size <= DECLARATION_BYTES ? readFile(join(tree.folder, path), "utf8") : "";
}

function inMakefile(text: string): Declaration | undefined {
  const rules = rulesIn(text);
  for (const target of ["test", "check"]) {
    const rule = rules.find(({ targets }) => targets.includes(target));
    if (!rule || (rule.needs === "" && !doesSomething(rule.commands))) continue;
    const callsKnownRunners = rule.needs === "" && onlyKnownRunners(rule.commands);
    return { name: `make ${target}`, program: "make", args: [target], callsKnownRunners };
  }
  return undefined;
}

interface Rule {
  targets: string[];
  needs: string;
  commands: string[];
}

/** `targets: needs ; command`, and commands below it behind a tab. */
function rulesIn(text: string): Rule[] {
  const rules: Rule[] = [];
  for (const line of text.replaceAll(/\\\r?\n/g, " ").split(/\r?\n/)) {
    const head = /^([^\s#:=][^:=#]*)::?(?![:=])([^;#]*)(?:;(.*))?/.exec(line);
    if (head) {
      const [, targets = "", needs = "", command = ""] = head;
      rules.push({ targets: targets.trim().split(/\s+/), needs: needs.trim(), commands: command ? [command] : [] });
    } else if (line.startsWith("\t")) rules.at(-1)?.commands.push(line.trim());
  }
  return rules;
}

function inScript(path: string, text: string): Declaration | undefined {
  const [first = "", ...rest] = text.split(/\r?\n/);
  const interpreter = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(\S+)/.exec(first)?.[1];
  const commands = [...(interpreter ? [] : [first]), ...rest].map((line) => line.trim());
  if (!doesSomething(commands)) return undefined;
  const program = interpreter?.split("/").at(-1) ?? "sh";
  return { name: `./${path}`, program, args: [path], callsKnownRunners: onlyKnownRunners(commands) };
}

const without = (line: string): string =>
  line
    .replace(/^[@+-]+\s*/, "")
    .replace(/^#.*/, "")
    .trim();

/** Who says that there are no tests yet has none. */
const doesSomething = (commands: string[]): boolean => commands.some((line) => !NOTHING.test(without(line)));
const NOTHING = /^(?:|echo\b[^&|;`$]*|printf\b[^&|;`$]*|true|:|exit 0|set .*)$/;

const onlyKnownRunners = (commands: string[]): boolean =>
  commands.map(without).every((line) => NOTHING.test(line) || LEADING_TO.test(line) || KNOWN_RUNNER.test(line)) &&
  commands.some((line) => KNOWN_RUNNER.test(without(line)));
const LEADING_TO = /^(?:cd|export)\s[^&|;]*$/;
const KNOWN_RUNNER =
  /^(?:[A-Z_]+=\S* )*(?:exec )?(?:(?:uv|poetry|pipenv|hatch) run )?(?:py\.?test|tox|nox|python[\d.]* -m (?:pytest|unittest)|(?:npm|pnpm|yarn|bun)(?: run)? test|(?:npx )?(?:vitest|jest|mocha)|node --test|go test)\b[^&|;]*$/;
