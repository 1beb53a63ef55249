/** The tokens for Git servers among environment variables, each for one host. Pure. */

export interface GitHost {
  /** As in a URL: `github.com`, or with a port. */
  host: string;
  token: string;
  /** GitHub's API for it. Absent: it is no GitHub. */
  api?: string;
}

export const GITHUB = { host: "github.com", api: "https://api.github.com" };

/** Beginning with the one that is named for l2mac. */
export function gitHostsIn(env: Readonly<Record<string, string | undefined>>): GitHost[] {
  const { L2MAC_GIT_TOKEN: own, L2MAC_GIT_HOST: host = GITHUB.host, GITLAB_TOKEN: gitlab } = env;
  const github = env.GITHUB_TOKEN || env.GH_TOKEN;
  // GitHub's own variables name a server of an enterprise.
  const server = hostIn(env.GITHUB_SERVER_URL) ?? GITHUB.host;
  const api = env.GITHUB_API_URL || (server === GITHUB.host ? GITHUB.api : `https://${server}/api/v3`);
  const hosts: GitHost[] = [
    ...(own ? [{ host, token: own, ...(host === server ? { api } : {}) }] : []),
    ...(github ? [{ host: server, token: github, api }] : []),
    ...(gitlab ? [{ host: hostIn(env.CI_SERVER_URL) ?? "gitlab.com", token: gitlab }] : []),
  ];
  return hosts.map((each) => ({ ...each, token: each.token.trim() }));
}

const hostIn = (url: string | undefined): string | undefined =>
  url !== undefined && URL.canParse(url) ? new URL(url).host : undefined;
