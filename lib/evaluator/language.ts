/** What a language of the evaluator declares: which files are its own, how their syntax is checked and their tests are run. */
import type { CheckReason, CheckStatus, Finding, TestCase } from "../core/verdict/verdict.ts";
import type { InstallerRegistries } from "./packages/registries/registry.ts";
import type { CommandResult } from "./process/run-command.ts";
import type { Tree } from "./tree.ts";

export interface Language {
  name: string;
  owns(path: string): boolean;
  /** `paths`: these and the files that depend on them; paths that are gone count too. */
  syntax(request: CheckRequest, workspace: Workspace): Promise<SyntaxResult>;
  /** How long its syntax may take where that is more than parsing. */
  syntaxMs?: number;
  /** Makes ready what belongs to the toolchain alone, such as its compiled library: it takes no time from the checks. */
  prepare?(tree: Tree, workspace: Workspace): Promise<void>;
  /** Runs in a copy of the tree that is discarded. `paths`: only these test files. Absent: it has no tests. */
  tests?(request: CheckRequest, workspace: Workspace): Promise<TestsResult>;
  /** The files of its tests, where each can be run without the others. Undefined: they cannot be separated. */
  testFiles?(tree: Tree): Promise<string[] | undefined>;
  /** How its programs are found, by their names. */
  probes?: Record<string, Probe>;
  /** Absent: nothing is installed for it. */
  installer?: Installer;
}

export interface CheckRequest {
  tree: Tree;
  paths?: string[];
  /** Test cases run in the order of their names, not side by side. */
  oneByOne?: true;
  /** The test results of the languages before this one. */
  before?: TestsResult[];
  /** The paths are everything that can have changed since the last full check, with its dependants. */
  sinceLast?: true;
}

interface CheckResult {
  status: CheckStatus;
  reason?: CheckReason;
  /** What is missing or went wrong, in words. */
  detail?: string;
}
export type SyntaxResult = CheckResult & {
  errors: Finding[];
  /** What may be wrong, and blocks nothing. */
  warnings?: Finding[];
};
export type TestsResult = CheckResult & {
  runner?: string;
  passed: number;
  failed: number;
  errors: number;
  skipped: number;
  cases: TestCase[];
  output: string;
  missingPackages: string[];
  truncated: string[];
};

export type Tools = Partial<Record<string, Tool>>;

/** A program of a language. */
export interface Tool {
  program: string;
  version?: string;
  /** The folder of its standard library, or of its whole installation. */
  root?: string;
  /** Programs that come with it, by name. */
  beside?: Record<string, string>;
  /** What must be readable for it to work, as far as it is not the system's. */
  readable: string[];
}

export interface Probe {
  find(surroundings: Surroundings): Tool | undefined;
  /** What stays undone where there is none, in words. */
  without: string;
}

/** Where a probe looks. */
export interface Surroundings {
  /** The parent's environment: it finds programs, and goes no further. */
  env: Record<string, string | undefined>;
  folders: string[];
}

/** The programs that checks run. Absent: there is no such program here. */
export interface Toolchain {
  node: string;
  python?: string;
  /** npm's own script, run by `node`. */
  npm?: string;
  /** What the probes of the languages found, by the names of the programs. */
  tools?: Tools;
  /** Where commands are looked for. */
  path: string;
}

/** Installs what a project declares. It runs no code of the project, and none of a package. */
export interface Installer {
  name: string;
  /** With what variables this computer reaches its registry: no others of its environment are passed on. */
  settings?(tools: Tools, env: Surroundings["env"]): Record<string, string>;
  /** What it fetches from, according to its settings. Absent: it reaches its registry itself. */
  registries?(settings: Record<string, string>): InstallerRegistries;
  /** What the manifests of the project ask for, in whatever folder of it they are. `scripts`: as of a workspace. */
  wanted(projectFolder: string, toolchain: Toolchain, scripts: string): Promise<PackageRequest>;
}

export interface PackageRequest {
  /** Each package in a line of its own: equal lines are installed once. */
  requests: string[];
  /** What else decides about the outcome: programs, lock files. */
  depends: unknown;
  /** What is not installed, each with the reason. */
  refused: string[];
  install(place: InstallPlace): Promise<InstallOutcome>;
}

export interface InstallPlace {
  /** The folder to fill. It exists. */
  folder: string;
  /** The folder of its downloads, which goes with this installation. */
  downloads: string;
  /** Runs a program that reaches registries, and sees and writes these two folders and nothing of the project. */
  run: InstallerRun;
}

/** `env` comes on top of the settings with which this computer reaches its registries. */
export type InstallerRun = (argv: string[], cwd: string, env?: Record<string, string>) => Promise<InstallerResult>;
export type InstallerResult = CommandResult & { tooLarge?: string };

/** The part of the environment that one installer made. */
export type InstallOutcome = Partial<ProjectEnvironment> & {
  missing: string[];
  /** False: another attempt may succeed, when there is network or time. */
  settled: boolean;
};

/** What was installed from the project's own manifests. */
export interface ProjectEnvironment {
  /** Folders of programs that come before all others. */
  path: string[];
  /** Variables of every command that checks run. */
  env: Record<string, string>;
  python?: string;
  /** The npm packages of each manifest: `below` is its folder, "" at the top. */
  nodeModules: NodeModules[];
  /** Folders that must be readable for it to work. */
  readable: string[];
  /** Packages that are not available, each with what was tried. */
  missing: string[];
  /** Available packages with their versions, a bounded list. */
  available?: string[];
}

export interface NodeModules {
  below: string;
  folder: string;
}

export const noEnvironment: ProjectEnvironment = { path: [], env: {}, nodeModules: [], readable: [], missing: [] };

export interface Run {
  argv: string[];
  /** The folder to run in, below the copy. */
  below?: string;
  stdin?: string;
  env?: Record<string, string>;
  timeoutMs?: number;
  outputBytes?: number;
  /** Takes each line of its output as it comes, however many there are; none is kept. */
  readLine?: (line: string) => void;
}

/** For a program that answers each line of its input with one line. */
export interface Question {
  argv: string[];
  line: string;
  outputBytes?: number;
}

export interface Workspace {
  toolchain: Toolchain;
  /** The folder of scripts that look into projects from inside their own language. */
  scripts: string;
  environment?: ProjectEnvironment;
  /** Where commands are looked for, with what the project installed. */
  path: string;
  /** Runs in the tree, which it can only read, within the time that is left. */
  run(command: Run): Promise<CommandResult>;
  /** As `run`; a program that was asked before may be ready to answer. It must not run code of the project. */
  ask(question: Question): Promise<CommandResult>;
  /** The one copy of this evaluation, made when it is first asked for. */
  copy(): Promise<WorkspaceCopy>;
  /** A new private folder, for every command from then on. */
  newFolder(): Promise<string>;
  kept?: CacheFolder;
}

/** A folder that outlasts evaluations, filled from the toolchain alone. Nothing that sees or runs the project can write there. */
export interface CacheFolder {
  folder: string;
  run(command: Run): Promise<CommandResult>;
}

export interface WorkspaceCopy {
  folder: string;
  /** A path outside the copy for a test runner to report to; each is given out once. */
  newReport(): string;
  /** Runs in the copy, which it may change. */
  run(command: Run): Promise<CommandResult>;
}

export const nothingToCheck: SyntaxResult = { status: "not_run", reason: "nothing_to_check", errors: [] };

export const noTests: TestsResult = {
  status: "not_found",
  passed: 0,
  failed: 0,
  errors: 0,
  skipped: 0,
  cases: [],
  output: "",
  missingPackages: [],
  truncated: [],
};

export const withoutToolchain = (program: string): { status: "not_run"; reason: "no_toolchain"; detail: string } => ({
  status: "not_run",
  reason: "no_toolchain",
  detail: `${program} is not available here`,
});
