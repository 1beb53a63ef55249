import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { Problem } from "../api/problem.ts";
import { UserError } from "../core/errors.ts";
import { createForward } from "./forward.ts";

const ID = "01M7ZR63C0YXE0KT7F3MTSJJGS";
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage["headers"];
  body: string;
}

/** Stands in for an API; writes down what it is asked. */
async function anApi(answer: { status: number; headers?: Record<string, string>; body?: string }) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    seen.push({ method: request.method, url: request.url, headers: request.headers, body });
    if (request.url === "/large") response.end("all of it");
    else response.writeHead(answer.status, answer.headers).end(answer.body ?? "{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const asked = (path: string, init: RequestInit = {}): Request => new Request(`http://127.0.0.1:4600${path}`, init);

describe("a request of the page that is passed on", () => {
  it("is signed as the user's, and carries nothing of the browser", async () => {
    const { url, seen } = await anApi({ status: 202, headers: { "content-type": "application/json", etag: '"1"' } });
    const forward = createForward({
      address: { url, region: "eu-west-1" },
      sign: async ({ headers, method, body }) => ({ ...headers, authorization: `signed ${method} ${body}` }),
    });
    const headers = {
      "content-type": "application/json",
      "x-l2mac-token": "secret",
      cookie: "mine",
      origin: "http://127.0.0.1:4600",
      "if-match": '"1"',
    };
    const answer = await forward(asked(`/runs/${ID}/program?x=a%20b`, { method: "PUT", headers, body: "{}" }));
    expect(answer.status).toBe(202);
    expect(answer.headers.get("etag")).toBe('"1"');
    expect(answer.headers.get("content-security-policy")).toContain("sandbox");
    expect(seen).toMatchObject([
      {
        method: "PUT",
        url: `/runs/${ID}/program?x=a%20b`,
        headers: { authorization: "signed PUT {}", "if-match": '"1"' },
      },
    ]);
    for (const name of ["x-l2mac-token", "cookie", "origin"]) expect(seen[0]?.headers).not.toHaveProperty(name);
  });

  it.each([
    "/",
    "/token",
    "/runs/../x",
    "/runs/x",
    "/server/x",
    `/runs/${ID}/a/b`,
    "/latest/meta-data",
    "//evil.example/runs",
  ])("goes nowhere but to runs: %s", async (path) => {
    const { url, seen } = await anApi({ status: 200 });
    expect((await createForward({ address: { url } })(asked(path))).status).toBe(404);
    expect(seen).toEqual([]);
  });

  it("brings what is too large for one answer from where it lies", async () => {
    const location: Record<string, string> = {};
    const { url } = await anApi({ status: 303, headers: location });
    const forward = createForward({ address: { url } });
    location.location = `${url}/large`;
    const answer = await forward(asked(`/runs/${ID}/file?path=a`));
    expect([answer.status, await answer.text()]).toEqual([200, "all of it"]);
    // No other server of this computer is the API.
    location.location = "http://127.0.0.1:1/large";
    expect((await forward(asked(`/runs/${ID}/file?path=a`))).status).toBe(502);
  });

  it("says that there is no answer, so that the page tries again", async () => {
    const answer = await createForward({ address: { url: "http://127.0.0.1:1" } })(asked("/runs"));
    expect(answer.status).toBe(502);
    expect(((await answer.json()) as { detail: string }).detail).toMatch(/does not answer/);
  });

  it("brings its query as signatures take it, and each name once", async () => {
    const { url, seen } = await anApi({ status: 200 });
    const signed: string[] = [];
    const forward = createForward({
      address: { url },
      sign: async (unsigned) => {
        signed.push(unsigned.url.search);
        return unsigned.headers;
      },
    });
    await forward(asked(`/runs/${ID}/file?path=a'(b)!*.txt&at=2`));
    expect(signed).toEqual(["?path=a%27%28b%29%21%2A.txt&at=2"]);
    expect(seen.map((each) => each.url)).toEqual([`/runs/${ID}/file${signed[0]}`]);
    expect((await forward(asked(`/runs?q=a&q=b`))).status).toBe(404);
    expect(seen).toHaveLength(1);
  });

  it("has a body of bounded size", async () => {
    const { url, seen } = await anApi({ status: 202 });
    const forward = createForward({ address: { url } });
    const post = (bytes: number) => forward(asked("/runs", { method: "POST", body: "x".repeat(bytes) }));
    expect((await post(3 * 1_024 * 1_024)).status).toBe(202);
    expect((await post(3 * 1_024 * 1_024 + 1)).status).toBe(413);
    expect(seen).toHaveLength(1);
  });
});

describe("where the user is not let in", () => {
  const detailOf = async (answer: Response): Promise<string> => {
    expect([answer.status, answer.headers.get("content-type")]).toEqual([502, "application/problem+json"]);
    const { detail, next } = (await answer.json()) as Problem;
    return `${detail} Next: ${next?.note}`;
  };

  it("says that there are no credentials and what to do, as of a server that is away", async () => {
    const sign = () => Promise.reject(new UserError("No AWS credentials were found: expired.", { exitCode: 3 }));
    const forward = createForward({ address: { url: "http://127.0.0.1:1", region: "eu-west-1" }, sign });
    expect(await detailOf(await forward(asked("/runs")))).toMatch(
      /^No AWS credentials were found: expired\. Next: Sign in again in a terminal .* the page then goes on/,
    );
  });

  it("says that they do not hold any more and what to do, and nothing of what was signed", async () => {
    const body = JSON.stringify({ message: "The security token included in the request is expired" });
    const forward = createForward({ address: { url: (await anApi({ status: 403, body })).url } });
    expect(await detailOf(await forward(asked("/runs")))).toMatch(/token included .* is expired.* Next: Sign in again/);
    const token = "t".repeat(200);
    const wrong = await anApi({
      status: 403,
      body: JSON.stringify({ message: `No. ${token} The Canonical String is` }),
    });
    const answer = await createForward({ address: { url: wrong.url } })(asked("/runs"));
    expect(await detailOf(answer)).not.toContain(token);
  });
});
