/** What the machine needs of Git servers: the tree of a commit, and a branch that gets a run's commits. */
import type { GitOrigin, PushedBranch } from "./origin.ts";

/** A file that a run is not shown. */
export interface LeftOutFile {
  path: string;
  reason: string;
  detail?: string;
  line?: number;
}

/** The commit that a run starts from. */
export interface FetchedCommit {
  commit: string;
  /** The branch that was asked for, else the one that the server's HEAD names. */
  base?: string;
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

export interface GitServers {
  fetch(origin: Pick<GitOrigin, "url" | "ref" | "allowSecrets">, signal: AbortSignal): Promise<FetchedCommit>;
  push(request: PushRequest, signal: AbortSignal): Promise<PushResult>;
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
