/** The truth about a project: what its own plain runner says, with what its authors install. Never our evaluator. */
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canSeal, plainEnvironment, type Ran, runPlain, testEnvironment } from "./command.ts";
import type { Truth } from "./compare.ts";
import { cargoEnvironment, type FetchParts, goEnvironment, mavenEnvironment } from "./fetch.ts";
import { folderName, type Project, type SourceKind } from "./project.ts";

const INSTALL_MS = 400_000;
export const TEST_MS = 300_000;

/** A copy of the tree with everything installed that its tests need. */
export interface Workplace {
  tree: string;
  env: Record<string, string>;
  home: string;
  test: string[];
}

interface Usual {
  install: string[];
  test: string[];
}

const USUAL: Record<SourceKind, Usual> = {
  pypi: { install: ["pip install -q -e . pytest"], test: ["pytest -q"] },
  npm: { install: ["npm install --no-audit --no-fund --loglevel=error"], test: ["npm test"] },
  go: { install: ["go mod download"], test: ["go test ./..."] },
  crates: { install: ["cargo fetch"], test: ["cargo test --offline"] },
  // What its plugins need is only known when they run. What they wrote then is another user's.
  maven: {
    install: ["mvn -q -B -Dmaven.test.failure.ignore=true test", "find . -name target -type d -prune -exec rm -r {} +"],
    test: ["mvn -o -q -B test"],
  },
  case: { install: [], test: [] },
};

export const commandsOf = (project: Project): Usual => ({
  install: project.install ?? USUAL[project.from].install,
  test: project.test ?? USUAL[project.from].test,
});

export const workFolder = (project: Project, folder: string): string => join(folder, "work", folderName(project));

/** Undefined where it could not be installed; then `why` names the reason. */
export async function openWorkplace(
  project: Project,
  { tree, folder, python }: FetchParts & { tree: string },
): Promise<Workplace | { why: string }> {
  const place = workFolder(project, folder);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(join(place, "home/tmp"), { recursive: true });
  const workplace = { tree: join(place, "tree"), home: join(place, "home"), test: commandsOf(project).test };
  cpSync(tree, workplace.tree, { recursive: true, verbatimSymlinks: true });
  const env: Record<string, string> = {
    ...goEnvironment(folder),
    ...cargoEnvironment(folder),
    ...mavenEnvironment(folder),
  };
  const commands = commandsOf(project);
  const lines = [...commands.install, ...commands.test];
  const venv = join(place, "venv");
  if (lines.some((line) => /\b(pip|python|pytest)\b/.test(line))) {
    // pip itself is this computer's: to install it too takes longer than most of these suites.
    commands.install = [`'${python}' -m venv --without-pip '${venv}'`, ...commands.install];
    Object.assign(env, { PATH: join(venv, "bin"), VIRTUAL_ENV: venv, PIP_PYTHON: join(venv, "bin/python") });
  }
  for (const command of commands.install) {
    const surroundings = { cwd: workplace.tree, env: plainEnvironment(env), timeoutMs: INSTALL_MS };
    const { code, tail } = await runPlain(command, surroundings);
    if (code !== 0) return { why: `${command}: ${code === null ? "no time was left" : tellingLine(tail)}` };
  }
  // What was downloaded was verified then; another project may have moved the checksum database on meanwhile.
  return { ...workplace, env: { ...env, GOPROXY: "off", GOSUMDB: "off" } };
}

export async function measureTruth({ tree, env, home, test }: Workplace, timeoutMs = TEST_MS): Promise<Truth> {
  let seconds = 0;
  for (const command of test) {
    const ran = await runPlain(command, { cwd: tree, env: testEnvironment(home, env), timeoutMs, offline: true });
    seconds += ran.seconds;
    const colour = colourOf(command, ran);
    if (colour !== "green") return { colour, why: whyNot(command, ran), seconds };
  }
  return { colour: "green", seconds };
}

/** No tests, no runner and no time are no truth. */
function colourOf(command: string, { code, tail }: Ran): Truth["colour"] {
  if (code === 0) return "green";
  if (code === null || code === 127) return "unknown";
  if (code === 5 && /pytest|no tests ran/.test(command + tail)) return "unknown";
  return "red";
}

const whyNot = (command: string, { code, tail }: Ran): string =>
  code === null ? `${command}: no time was left` : `${command} ended with ${code}: ${tellingLine(tail)}`;

/** The first line that names a failure, or else the last that has a word in it. */
export function tellingLine(text: string): string {
  const lines = text.split("\n").filter((line) => /[a-z]/i.test(line));
  const line = lines.find((each) => FAILURE.test(each)) ?? lines.at(-1) ?? "it printed nothing";
  return line.trim().slice(0, 200);
}

const FAILURE =
  /--- FAIL|^FAILED |^E {2}|^error(\[|:)|panicked at|^not ok|^vet:|^[\w/.-]+\.go:\d+|\w(Error|Exception): |npm ERR! |npm error /;

/** Raised when truths are measured in another way: those kept from before are not read any more. */
const TRUTHS = 3;

/** Of the tree's content, of the commands, and of the programs that they start. */
export async function truthKey(
  project: Project,
  files: [path: string, content: Uint8Array][],
  parts: FetchParts,
): Promise<string> {
  const hash = createHash("sha256");
  hash.update(JSON.stringify([TRUTHS, commandsOf(project), await versionsOf(project, parts), howSealed()]));
  for (const [path, content] of files) hash.update(`${path}\0${content.length}\0`).update(content);
  return hash.digest("hex").slice(0, 32);
}

const versions = new Map<string, Promise<string>>();

function versionsOf({ from }: Project, { python, folder }: FetchParts): Promise<string> {
  const others = `node --version; '${python}' --version; go version; cargo --version`;
  const command = from === "maven" ? "mvn --version" : others;
  const known = versions.get(command);
  const asked =
    known ?? runPlain(command, { cwd: folder, env: plainEnvironment({}), timeoutMs: 20_000 }).then(({ tail }) => tail);
  versions.set(command, asked);
  return asked;
}

/** A truth that was measured before, of the same content by the same commands and programs. */
export interface KnownTruths {
  read(key: string): Truth | undefined;
  write(key: string, truth: Truth): void;
}

export function keepTruths(folder: string): KnownTruths {
  const fileOf = (key: string): string => join(folder, "truths", `${key}.json`);
  return {
    read: (key) => (existsSync(fileOf(key)) ? JSON.parse(readFileSync(fileOf(key), "utf8")) : undefined),
    write: (key, truth) => {
      mkdirSync(join(folder, "truths"), { recursive: true });
      writeFileSync(fileOf(key), JSON.stringify(truth));
    },
  };
}

export const howSealed = (): string => (canSeal() ? "without network, not as root" : "WITH network: bwrap is missing");
