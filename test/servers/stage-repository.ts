/** A Git server on loopback with a repository of an owner, and GitHub's API for pull requests beside it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type GitServer, git, serveRepository, startGitServer } from "./git-server.ts";
import { createGitHubApi, type GitHubApi } from "./github-api.ts";

export interface ServedRepository extends Pick<GitServer, "host" | "requests"> {
  /** Of the repository. */
  url: string;
  apiUrl: string;
  api: GitHubApi;
  /** The commit that `main` names. */
  head: string;
  /** What Git says in the server's repository. */
  ask(...args: string[]): string;
  close(): Promise<void>;
}

export async function startServedRepository(token: string, files: Record<string, string>): Promise<ServedRepository> {
  const root = mkdtempSync(join(tmpdir(), "l2mac-served-"));
  const work = join(root, "work");
  for (const folder of [work, join(root, "ann")]) mkdirSync(folder);
  git(work, "init", "--quiet", "--initial-branch=main");
  for (const [path, text] of Object.entries(files)) writeFileSync(join(work, path), text);
  git(work, "add", "--all", "--force");
  git(work, "commit", "--quiet", "--message", "Begin");
  const bare = serveRepository(root, "ann/shop.git", work);
  const server = await startGitServer({ root, token });
  const api = createGitHubApi(token);
  server.intercept((request, response) => api.answers(request, response));
  return {
    ...{ host: server.host, requests: server.requests, api },
    url: `${server.url}/ann/shop.git`,
    apiUrl: `${server.url}/api/v3`,
    head: git(work, "rev-parse", "HEAD"),
    ask: (...args) => git(bare, ...args),
    async close() {
      await server.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
