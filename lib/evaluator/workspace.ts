/** Where checks run: the tree itself, only to be read, and one copy that may be spoilt. Everything is sealed. */
import { randomUUID } from "node:crypto";
import { mkdtemp, realpath } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { defined } from "../core/defined.ts";
import { isFromRepository, layRepository } from "./git-repository.ts";
import type {
  CacheFolder,
  ProjectEnvironment,
  Question,
  Run,
  Toolchain,
  Workspace,
  WorkspaceCopy,
} from "./language.ts";
import { linkPackages } from "./link-packages.ts";
import { type Bounds, createExceeds } from "./process/bounds.ts";
import { removeTree } from "./process/remove-tree.ts";
import { type Command, type CommandResult, runCommand } from "./process/run-command.ts";
import { commandEnvironment } from "./process/scrubbed-environment.ts";
import type { ReadyCheckers } from "./ready-checkers.ts";
import { copyTree, makeFolder, type Owner, type Tree } from "./tree.ts";

/** Wraps a command so that it sees and reaches only what it needs. */
export interface Seal {
  seal(command: SealedCommand): SealedStart;
  /** Whom the sealed command runs as: its folders must be theirs. */
  owner?: Owner;
  /** What all processes of a command may take together. */
  bounds?: Bounds;
  /** Its commands reach no network unless they are to. */
  isOffline?: true;
}
/** How a sealed command is started: with `saysFirst` and `filter` of a `Command`. */
export interface SealedStart extends Pick<Command, "saysFirst" | "filter"> {
  argv: string[];
  env?: Record<string, string>;
}
export interface SealedCommand {
  argv: string[];
  cwd: string;
  writable: string[];
  readable: string[];
  /** For a seal of installers. */
  hasNetwork?: boolean;
}

export interface WorkspaceSettings {
  seal: Seal;
  toolchain: Toolchain;
  /** The folder in which private folders are made. */
  scratch: string;
  scripts: string;
  /** The folder of what outlasts evaluations. Absent: nothing does. */
  kept?: string;
  tree: Tree;
  environment?: ProjectEnvironment;
  /** Checkers that stay ready for the owner. Absent: each question starts a process. */
  checkers?: ReadyCheckers;
  memory?: object;
  /** Answers how much time is left. */
  leftMs: () => number;
  signal?: AbortSignal;
}

export interface OpenWorkspace extends Workspace {
  /** The private folder: its name means nothing to anyone. */
  folder: string;
  /** The folder of the copy. Undefined: no command asked for one. */
  copied(): Promise<string | undefined>;
  close(): Promise<void>;
}

export async function openWorkspace(settings: WorkspaceSettings): Promise<OpenWorkspace> {
  const { tree, toolchain, scripts, environment } = settings;
  const folder = await mkdtemp(join(await realpath(settings.scratch), "l2mac-"));
  const path = pathOf(toolchain, environment);
  const made: string[] = [];
  let runner: Promise<RunSealed> | undefined;
  const runSealed: RunSealed = async (asked, at) => {
    runner ??= createRunner(settings, { folder, path, made });
    return (await runner)(asked, at);
  };
  const run: Workspace["run"] = (asked) =>
    runSealed(asked, { cwd: tree.folder, writable: [], readable: [tree.folder] });
  let copy: Promise<WorkspaceCopy> | undefined;
  return {
    folder,
    toolchain,
    scripts,
    path,
    ...(environment ? { environment } : {}),
    run,
    ask: async (question) => (await askReady(question, settings)) ?? run(commandFor(question)),
    copy: () => {
      copy ??= openCopy(settings, folder, runSealed);
      return copy;
    },
    copied: async () => (await copy)?.folder,
    newFolder: async () => {
      const own = join(folder, randomUUID());
      await makeFolder(own, settings.seal.owner);
      made.push(own);
      return own;
    },
    ...(settings.kept ? { kept: await openKept(settings, settings.kept, { folder, path, made }) } : {}),
    close: () => removeTree(folder),
  };
}

const commandFor = ({ argv, line, outputBytes }: Question): Run => ({
  argv,
  stdin: `${line}\n`,
  ...defined({ outputBytes }),
});

async function askReady(question: Question, settings: WorkspaceSettings): Promise<CommandResult | undefined> {
  const { checkers, memory, seal, scripts, tree, toolchain, environment, signal } = settings;
  if (!checkers || !memory) return undefined;
  const { argv, line, outputBytes } = question;
  const readable = [scripts, ...(environment?.readable ?? [])];
  const path = pathOf(toolchain, environment);
  const checker = { seal, argv, folder: tree.folder, path, env: environment?.env ?? {}, readable };
  const timeoutMs = Math.max(0, settings.leftMs());
  return checkers.ask(memory, checker, { line, timeoutMs, ...defined({ outputBytes, signal }) });
}

/** What the project installed comes first. */
const pathOf = (toolchain: Toolchain, environment: ProjectEnvironment | undefined): string =>
  [...(environment?.path ?? []), toolchain.path].join(delimiter);

type RunSealed = (run: Run, at: Omit<SealedCommand, "argv">) => Promise<CommandResult>;

interface PrivateFolder {
  folder: string;
  path: string;
  /** Folders that were asked for since. */
  made: string[];
}

/** Every command of an evaluation shares a home and a folder for temporary files, and nothing else. */
async function createRunner(settings: WorkspaceSettings, { folder, path, made }: PrivateFolder): Promise<RunSealed> {
  const { seal, scripts, environment } = settings;
  const home = join(folder, "home");
  const tmp = join(folder, "tmp");
  for (const own of [home, tmp]) await makeFolder(own, seal.owner);
  const common = { ...environment?.env, ...commandEnvironment({ path, home, tmp }) };
  const exceeds = seal.bounds && createExceeds(folder, seal.bounds);
  return (run, at) => {
    const env = { ...common, ...run.env };
    const sealed = seal.seal({
      argv: run.argv,
      cwd: at.cwd,
      writable: [home, tmp, ...made, ...at.writable],
      readable: [scripts, ...(environment?.readable ?? []), ...at.readable],
    });
    return runCommand({
      argv: sealed.argv,
      cwd: at.cwd,
      env: { ...env, ...sealed.env },
      timeoutMs: Math.max(0, Math.min(run.timeoutMs ?? Number.POSITIVE_INFINITY, settings.leftMs())),
      ...defined({ stdin: run.stdin, outputBytes: run.outputBytes, readLine: run.readLine }),
      ...(settings.signal ? { signal: settings.signal } : {}),
      ...defined({ saysFirst: sealed.saysFirst, filter: sealed.filter }),
      ...(exceeds ? { exceeds } : {}),
    });
  };
}

/** With a home of its own: settings that the project left in the other one must not reach what outlasts it. */
async function openKept(
  settings: WorkspaceSettings,
  kept: string,
  { folder, path, made }: PrivateFolder,
): Promise<CacheFolder> {
  const real = await realpath(kept);
  const own = join(folder, "kept");
  let runSealed: Promise<RunSealed> | undefined;
  const open = async (): Promise<RunSealed> => {
    for (const each of [real, own]) await makeFolder(each, settings.seal.owner);
    return createRunner(settings, { folder: own, path, made });
  };
  const run = async (request: Run): Promise<CommandResult> => {
    runSealed ??= open();
    return (await runSealed)(request, { cwd: real, writable: [real], readable: [] });
  };
  return { folder: real, run };
}

async function openCopy(settings: WorkspaceSettings, folder: string, runSealed: RunSealed): Promise<WorkspaceCopy> {
  const { seal, tree, environment } = settings;
  const copied = join(folder, "tree");
  const reports = join(folder, "reports");
  await makeFolder(reports, seal.owner);
  await copyTree(tree, copied, seal.owner);
  if (isFromRepository(tree)) await layRepository(join(copied, ".git"), seal.owner);
  for (const { below, folder: from } of environment?.nodeModules ?? [])
    await linkPackages(from, join(copied, below, "node_modules"), seal.owner);
  return {
    folder: copied,
    newReport: () => join(reports, randomUUID()),
    run: (run) => runSealed(run, { cwd: join(copied, run.below ?? ""), writable: [copied, reports], readable: [] }),
  };
}
