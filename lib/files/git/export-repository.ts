/** A repository made of a run alone: a folder with a working tree, or a bundle that Git can clone. */
import { constants, copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeFolder } from "../../host/make-folder.ts";
import type { ChainLink, WrittenChain } from "./commit-chain.ts";
import { writeChain } from "./commit-chain.ts";
import { runGit } from "./run-git.ts";
import type { Tree } from "./tree-entries.ts";

export interface ExportedRun {
  /** Files that the run started from become the first commit. */
  start: Tree;
  startMessage: string;
  startedAt: string;
  links: AsyncIterable<ChainLink>;
  /** The commit of a server that it started from instead: commits follow it. */
  origin?: FetchedOrigin | undefined;
}

export interface FetchedOrigin {
  commit: string;
  /** Of the commit with its tree, without its history. */
  pack: Uint8Array;
}

const MAIN = "refs/heads/main";

/** The folder is new or empty. Answers the last commit, or undefined where there is nothing to commit. */
export async function exportToFolder(folder: string, run: ExportedRun): Promise<string | undefined> {
  makeFolder(folder);
  const { origin } = run;
  await initialize(folder, origin?.commit.length === SHA256_DIGITS ? ["--object-format=sha256"] : []);
  const { tip } = origin ? await continueOrigin(folder, run, origin) : await writeRun(folder, run);
  // Files that are written here are checked out as they are: the repository has no filters.
  if (tip !== undefined) await runGit(folder, [...AS_THEY_ARE, "reset", "--quiet", "--hard", MAIN]);
  return tip;
}

const SHA256_DIGITS = 64;

/** Neither line ends nor filters of the user change them: a start from a server can ask for those of Git LFS. */
const AS_THEY_ARE = [
  "core.autocrlf=false",
  "filter.lfs.smudge=",
  "filter.lfs.process=",
  "filter.lfs.required=false",
].flatMap((setting) => ["-c", setting]);

async function continueOrigin(
  repository: string,
  { start: before, links }: ExportedRun,
  { commit, pack }: FetchedOrigin,
): Promise<WrittenChain> {
  await runGit(repository, ["unpack-objects", "-q"], [pack]);
  // Its parents are not there.
  await writeFile(join(repository, ".git/shallow"), `${commit}\n`);
  return writeChain({ repository, ref: MAIN, start: commit, before, links });
}

export async function exportToBundle(file: string, run: ExportedRun): Promise<string | undefined> {
  const own = await mkdtemp(join(tmpdir(), "l2mac-bundle-"));
  try {
    await initialize(own, ["--bare"]);
    const { tip } = await writeRun(own, run);
    if (tip === undefined) return undefined;
    // HEAD is in it too, so that a clone checks the branch out.
    await runGit(own, ["bundle", "create", "--quiet", join(own, "run.bundle"), "HEAD", MAIN]);
    await copyFile(join(own, "run.bundle"), file, constants.COPYFILE_EXCL);
    return tip;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

async function initialize(folder: string, kind: string[]): Promise<void> {
  await runGit(folder, ["init", "--quiet", "--template=", ...kind]);
  await runGit(folder, ["symbolic-ref", "HEAD", MAIN]);
}

const writeRun = (repository: string, { start, startMessage, startedAt, links }: ExportedRun) =>
  writeChain({
    repository,
    ref: MAIN,
    before: new Map(),
    links: withStart(start.size === 0 ? [] : [{ message: startMessage, at: startedAt, tree: start }], links),
  });

async function* withStart(first: ChainLink[], rest: AsyncIterable<ChainLink>): AsyncIterable<ChainLink> {
  yield* first;
  yield* rest;
}
