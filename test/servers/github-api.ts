/** GitHub's API for pull requests, as its published description has it: what that does not allow is a fault of the caller. */
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";

const described = JSON.parse(
  readFileSync(new URL("../../packages/git/test/github-pulls.json", import.meta.url), "utf8"),
);
const Body = z.fromJSONSchema(described.post.requestBody);
const BODY_FIELDS = new Set(Object.keys(described.post.requestBody.properties));
const QUERY = new Map<string, { enum?: string[] }>(
  described.get.parameters
    .filter((each: { in: string }) => each.in === "query")
    .map((each: { name: string; schema: object }) => [each.name, each.schema]),
);

export interface GitHubApi {
  /** What the description does not allow. */
  faults: string[];
  pulls: { title: string; body: string; head: string; base: string; html_url: string; isMerged?: boolean }[];
  /** The answer to the next creation is lost, or it is refused. */
  next: "made" | "lost" | "forbidden";
  answers(request: IncomingMessage, response: ServerResponse): boolean;
}

export function createGitHubApi(token: string, host = "https://github.example"): GitHubApi {
  const api: GitHubApi = { faults: [], pulls: [], next: "made", answers };
  const shown = (pull: GitHubApi["pulls"][number], owner: string) => ({
    ...described.post.example,
    ...{ html_url: pull.html_url, title: pull.title },
    head: { ...described.post.example.head, label: `${owner}:${pull.head}`, ref: pull.head },
  });
  function answers(request: IncomingMessage, response: ServerResponse): boolean {
    const url = new URL(request.url ?? "", "http://api");
    const [, owner = "", repository = ""] = /^\/api\/v3\/repos\/([^/]+)\/([^/]+)\/pulls$/.exec(url.pathname) ?? [];
    if (owner === "") return false;
    const { authorization, accept, "user-agent": agent } = request.headers;
    if (accept !== "application/vnd.github+json") api.faults.push(`accept: ${accept}`);
    if (!agent) api.faults.push("GitHub refuses requests without a user agent");
    const answer = (status: number, body: unknown): void => {
      const allowed = described[request.method === "POST" ? "post" : "get"].statuses;
      if (!allowed.includes(String(status)) && status !== 401) api.faults.push(`the double answers ${status}`);
      response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
    };
    if (authorization !== `Bearer ${token}`) answer(401, { message: `Bad credentials ${authorization}` });
    else if (request.method === "GET") {
      for (const [name, value] of url.searchParams) {
        const schema = QUERY.get(name);
        if (!schema || (schema.enum && !schema.enum.includes(value))) api.faults.push(`query ${name}=${value}`);
      }
      const head = url.searchParams.get("head");
      const state = url.searchParams.get("state") ?? "open";
      const asked = api.pulls.filter(({ isMerged }) => state === "all" || (state === "closed") === (isMerged === true));
      answer(
        200,
        asked.filter((pull) => `${owner}:${pull.head}` === head).map((pull) => shown(pull, owner)),
      );
    } else void create(request, { answer, owner, repository, response });
    return true;
  }
  async function create(
    request: IncomingMessage,
    to: {
      answer: (status: number, body: unknown) => void;
      owner: string;
      repository: string;
      response: ServerResponse;
    },
  ): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    const read = Body.safeParse(body);
    if (!read.success) api.faults.push(`body: ${read.error.message}`);
    for (const field of Object.keys(body)) if (!BODY_FIELDS.has(field)) api.faults.push(`body has ${field}`);
    if (api.next === "forbidden") {
      api.next = "made";
      to.answer(403, { message: "Resource not accessible by personal access token", status: "403" });
      return;
    }
    if (api.pulls.some((pull) => pull.head === body.head && !pull.isMerged)) {
      const message = `A pull request already exists for ${to.owner}:${body.head}.`;
      to.answer(422, { message: "Validation Failed", errors: [{ resource: "PullRequest", code: "custom", message }] });
      return;
    }
    const html_url = `${host}/${to.owner}/${to.repository}/pull/${api.pulls.length + 1}`;
    api.pulls.push({ ...body, html_url });
    if (api.next === "lost") {
      api.next = "made";
      to.response.destroy();
    } else to.answer(201, shown({ ...body, html_url }, to.owner));
  }
  return api;
}
