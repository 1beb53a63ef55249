/** Git servers as this computer reaches them: with tokens of environment variables, and in the user's own network too. */
import { createGitServers, type OpenGitServers } from "./servers.ts";
import { gitHostsIn } from "./tokens.ts";

export const createOwnGitServers = (env: Readonly<Record<string, string | undefined>>): OpenGitServers =>
  createGitServers({
    allowPrivate: true,
    hostOf: async (host) => gitHostsIn(env).find((each) => each.host === host),
  });
