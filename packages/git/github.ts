/** Opens a pull request on GitHub: one for each branch, found again where it is there already. */
import * as z from "zod";
import { GitError, type PullRequestText } from "../../lib/core/git/servers.ts";
import { MiB } from "../../lib/core/limits.ts";
import { oneLine } from "../../lib/core/text/cut.ts";
import type { Exchange, HttpAnswer } from "./http.ts";
import { refuseFailed } from "./remote.ts";

export interface PullRequestParts {
  /** `https://api.github.com`, or `https://HOST/api/v3` of a GitHub Enterprise Server. */
  api: string;
  token: string;
  /** `https://host/owner/repo` */
  url: string;
  head: string;
  base: string;
  text: PullRequestText;
  exchange: Exchange;
  signal: AbortSignal;
}

const Pull = z.object({ html_url: z.string(), head: z.object({ ref: z.string() }) });
const Problem = z.object({
  message: z.string(),
  errors: z.array(z.object({ message: z.string().optional() })).optional(),
});

const ANSWER_BYTES = 4 * MiB;

/** Answers its address. An answer that is lost is looked for. */
export async function openPullRequest(parts: PullRequestParts): Promise<string> {
  try {
    return await openOnce(parts);
  } catch (error) {
    if (error instanceof GitError && error.kind === "temporary") return openOnce(parts);
    throw error;
  }
}

async function openOnce(parts: PullRequestParts): Promise<string> {
  const { head, base, text } = parts;
  const there = await findPullRequest(parts);
  if (there !== undefined) return there;
  const made = await ask(parts, { body: { title: text.title, body: text.body, head, base } });
  if (made.status === 201) return read(Pull, made).html_url;
  // Somebody was faster.
  const meanwhile = made.status === 422 ? await findPullRequest(parts) : undefined;
  if (meanwhile !== undefined) return meanwhile;
  throw refusal(made, parts);
}

async function findPullRequest(parts: PullRequestParts): Promise<string | undefined> {
  const { owner } = repositoryIn(parts.url);
  // One that was merged or closed was for other commits on a branch of the same name.
  const query = new URLSearchParams({ state: "open", head: `${owner}:${parts.head}`, per_page: "100" });
  const answer = await ask(parts, { query });
  if (answer.status !== 200) throw refusal(answer, parts);
  return read(z.array(Pull), answer).find((pull) => pull.head.ref === parts.head)?.html_url;
}

function ask(
  { api, url, token, exchange, signal }: PullRequestParts,
  { body, query }: { body?: Record<string, string>; query?: URLSearchParams },
): Promise<HttpAnswer> {
  const { owner, repository } = repositoryIn(url);
  const path = `${api}/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repository)}/pulls`;
  return exchange({
    url: new URL(query ? `${path}?${query}` : path),
    method: body ? "POST" : "GET",
    headers: {
      authorization: `Bearer ${token.split(":").at(-1)}`,
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
      ...(body ? { "content-type": "application/json" } : {}),
    },
    ...(body ? { body: new TextEncoder().encode(JSON.stringify(body)) } : {}),
    bytesAtMost: ANSWER_BYTES,
    signal,
  });
}

export function repositoryIn(url: string): { owner: string; repository: string } {
  const [owner = "", repository = ""] = new URL(url).pathname.split("/").filter(Boolean).map(decodeURIComponent);
  return { owner, repository: repository.replace(/\.git$/, "") };
}

function read<Shape extends z.ZodType>(shape: Shape, { body }: HttpAnswer): z.infer<Shape> {
  const read = shape.safeParse(parsed(body));
  if (read.success) return read.data;
  throw new GitError("GitHub's API answered something else than a pull request", "temporary");
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

function refusal(answer: HttpAnswer, { token }: PullRequestParts): GitError {
  const problem = Problem.safeParse(parsed(answer.body));
  if (problem.success && answer.status === 422) {
    const { message, errors = [] } = problem.data;
    const words = [message, ...errors.flatMap((error) => error.message ?? [])].join(": ").replaceAll(token, "***");
    return new GitError(`GitHub refuses the pull request: ${oneLine(words, WORDS_CHARS)}`, "refused");
  }
  try {
    refuseFailed(answer, { hasToken: true, masked: (text) => text.replaceAll(token, "***") });
  } catch (error) {
    if (error instanceof GitError) return new GitError(`GitHub's API: ${error.message}`, error.kind);
  }
  return new GitError(`GitHub's API answered ${answer.status}`, "temporary");
}

const WORDS_CHARS = 400;
