/** Git servers as the functions of a stack reach them: a token for one host, and no address of a private network. */
import { messageOf } from "../../lib/core/errors.ts";
import { GitError, type GitServers } from "../../lib/core/git/servers.ts";
import { MiB } from "../../lib/core/limits.ts";
import { createGitServers } from "./servers.ts";
import { GITHUB } from "./tokens.ts";

export interface StackGitParts {
  /** Absent: only what is public is read. */
  host: string | undefined;
  /** GitHub's API on that host. Absent: github.com has its own, other hosts have none. */
  api: string | undefined;
  allowPrivate: boolean;
  /** Undefined: none is stored yet. */
  readToken: () => Promise<string | undefined>;
  /** Of the function, in MiB: what is fetched must fit into it. */
  memory: number;
}

const unreadable = (error: unknown): never => {
  throw new GitError(`the token could not be read (${messageOf(error)})`, "credentials", error);
};

export const createStackGitServers = ({ host, api, allowPrivate, readToken, memory }: StackGitParts): GitServers =>
  createGitServers({
    allowPrivate,
    limits: { packBytes: (memory / 8) * MiB, objectBytes: (memory / 4) * MiB },
    async hostOf(asked) {
      const token = asked === host ? await readToken().catch(unreadable) : undefined;
      if (host === undefined || token === undefined) return undefined;
      const own = api ?? (host === GITHUB.host ? GITHUB.api : undefined);
      return { host, token, ...(own === undefined ? {} : { api: own }) };
    },
  });
