/** What a new run starts from: nothing, files, a Git working tree, or the result of another run. */
import { resolve } from "node:path";
import { type GitAddress, isGitAddress, readGitAddress } from "../../core/git/origin.ts";
import { readSharedTree } from "../../files/shared-tree.ts";
import type { SharedFiles } from "../../files/withhold.ts";
import { AFTER_RUN, IN, NEW } from "../settings/command-flags.ts";
import { usage } from "../settings/parse.ts";
import type { CommandLine } from "./command-line.ts";
import type { Connection } from "./connection.ts";

export interface StartingFiles extends SharedFiles {
  /** As the user named it. */
  from: string;
  /** How the line about it begins: `--from src`, `Repository /home/me/shop`. */
  label: string;
}

/** Where commits can go. */
export interface StartingRepository {
  top: string;
  /** The folder of it that the run works on; "" is all of it. */
  folder: string;
  head: string | undefined;
  /** The commit that the branch begins on, where that is not made of the working tree. */
  start?: string;
}

export interface StartingPoint {
  files?: StartingFiles;
  repository?: StartingRepository;
  /** It is fetched where the run is computed. */
  git?: GitAddress;
  notices: string[];
}

export const NOTHING: StartingPoint = { notices: [] };

const KINDS = ["--from", IN.name, AFTER_RUN.name, NEW.name];

/** `connection`: to the run that is named. */
export async function startingPoint(
  line: CommandLine,
  { isRehearsal, connection }: { isRehearsal: boolean; connection: () => Promise<Connection> },
): Promise<StartingPoint> {
  const { flags } = line.given;
  const [kind, other] = KINDS.filter((name) => flags.has(name));
  if (other !== undefined) throw usage({ name: "run" }, `${kind} and ${other} exclude each other.`);
  const value = kind === undefined ? "" : (flags.get(kind) ?? "");
  if (kind === "--from") return isGitAddress(value) ? startFromServer(value) : startFromFiles(value, line);
  if (kind === NEW.name) return NOTHING;
  if (kind === AFTER_RUN.name) {
    const { startAfterRun } = await import("./start-after-run.ts");
    return startAfterRun(await connection(), value);
  }
  const { startHere, startIn } = await import("./start-in-repository.ts");
  if (kind === IN.name) return startIn(value, line);
  return isRehearsal ? NOTHING : startHere(line);
}

function startFromServer(address: string): StartingPoint {
  const git = readGitAddress(address);
  // Without the address: it may hold a password.
  if ("problem" in git) throw usage({ name: "run" }, `--from takes the address of a repository, but ${git.problem}.`);
  return { git, notices: [] };
}

async function startFromFiles(from: string, { shell, settings }: CommandLine): Promise<StartingPoint> {
  const { allowSecrets, workspace = "workspace" } = settings;
  const output = resolve(shell.cwd, workspace);
  const shared = await readSharedTree(resolve(shell.cwd, from), { output, allowSecrets, label: `--from ${from}` });
  return { files: { from, label: `--from ${from}`, ...shared }, notices: [] };
}
