/** What the machine needs of Git servers: the tree of a commit, and a branch that gets a run's commits. */
import type { GitOrigin, PushedBranch } from "./origin.ts";

/** A file that a run is not shown. */
export interface LeftOutFile {
  path: string;
  reason: string;
  detail?: string;
  line?: number;
}

export interface ResolvedCommit {
  commit: string;
  /** The branch that was asked for, else the one that the server's HEAD names. */
  base?: string;
}

/** The commit that a run starts from. `base`: absent, too, where the commit was resolved before. */
export interface FetchedCommit extends ResolvedCommit {
  /** What a run may be shown. */
  files: Map<string, Uint8Array>;
  leftOut: LeftOutFile[];
  /** All of the commit's tree, without contents: what commits on top of it are made from. */
  outline: Uint8Array;
}

/** One accepted step. */
export interface GitStep {
  message: string;
  /** When it was accepted. */
  at: string;
  tree: ReadonlyMap<string, Uint8Array>;
}

export interface PullRequestText {
  title: string;
  body: string;
}

export interface PushRequest {
  url: string;
  /** The run's name: the branch is `l2mac/<name>`. */
  name: string;
  /** The commit that it starts from, on that server. Absent: the first commit has no parent. */
  start?: { commit: string; outline: Uint8Array };
  /** The run's tree before its first step. */
  before: ReadonlyMap<string, Uint8Array>;
  steps: AsyncIterable<GitStep> | Iterable<GitStep>;
  /** Opened where the server is a GitHub one and there is a token. */
  pullRequest?: PullRequestText & { base: string };
}

export interface PushResult extends PushedBranch {
  steps: number;
  /** Paths that only the start commit has, which the run was not shown: they stay as they are. */
  kept: string[];
  /** Why there is no pull request, where one was to be opened. */
  note?: string;
}

/** Pushes commits that are built. It can be repeated: a branch that is there already is found. */
export type Push = (signal: AbortSignal) => Promise<PushResult>;

export interface GitServers {
  /** The commit that an address means now. */
  resolve(origin: Pick<GitOrigin, "url" | "ref">, signal: AbortSignal): Promise<ResolvedCommit>;
  /** With `resolved` that commit, whatever the address means now. */
  fetch(
    origin: Pick<GitOrigin, "url" | "ref" | "allowSecrets" | "resolved">,
    signal: AbortSignal,
  ): Promise<FetchedCommit>;
  /** Builds the commits: it reads the tree of every step, which takes as long as it takes. */
  prepare(request: PushRequest, signal: AbortSignal): Promise<Push>;
}

/** `credentials`: the server wants a token, or another one. `temporary`: the same can work later. */
export type GitErrorKind = "credentials" | "refused" | "temporary";

/** Its message is one line and names no token. */
export class GitError extends Error {
  override readonly name = "L2mac.GitError";
  readonly kind: GitErrorKind;
  constructor(message: string, kind: GitErrorKind, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}
