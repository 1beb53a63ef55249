/** A real Git server on loopback: Git's own `http-backend` behind a socket, with a user's token where one is wanted. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

export interface GitServerOptions {
  /** The folder of the repositories. */
  root: string;
  /** Absent: everyone may read and write. */
  token?: string;
  /** Whether what only reads needs no token. */
  isPublic?: boolean;
  /** Speaks only the protocol of older servers. */
  isOld?: boolean;
}

export interface GitServer {
  url: string;
  host: string;
  /** Of each request, method, path and whether it had a token. */
  requests: { method: string; path: string; hasToken: boolean }[];
  /** Answers instead of Git. Undefined: Git answers. */
  intercept(answer: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined): void;
  close(): Promise<void>;
}

/** A Git that takes nothing of this computer's configuration, and writes the same ids each time. */
export function git(folder: string, ...args: string[]): string {
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" },
    ...{ GIT_AUTHOR_NAME: "Ann", GIT_AUTHOR_EMAIL: "ann@example.com", GIT_AUTHOR_DATE: "2026-01-02T03:04:05Z" },
    ...{
      GIT_COMMITTER_NAME: "Ann",
      GIT_COMMITTER_EMAIL: "ann@example.com",
      GIT_COMMITTER_DATE: "2026-01-02T03:04:05Z",
    },
  };
  return execFileSync("git", args, { cwd: folder, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
}

/** A bare repository of the server, with what a folder's working tree has committed. */
export function serveRepository(root: string, name: string, from?: string, ...init: string[]): string {
  const bare = join(root, name);
  if (from === undefined) git(root, "init", "--quiet", "--bare", "--initial-branch=main", ...init, name);
  else git(root, "clone", "--quiet", "--bare", from, name);
  git(bare, "config", "http.receivepack", "true");
  return bare;
}

export async function startGitServer(options: GitServerOptions): Promise<GitServer> {
  const requests: GitServer["requests"] = [];
  let intercepting: Parameters<GitServer["intercept"]>[0];
  const listener: RequestListener = (request, response) => {
    const { authorization = "" } = request.headers;
    const path = request.url ?? "";
    requests.push({ method: request.method ?? "", path, hasToken: authorization !== "" });
    if (intercepting?.(request, response)) return;
    const writes = path.includes("git-receive-pack");
    const needsToken = options.token !== undefined && (writes || !options.isPublic);
    const [, given = ""] = Buffer.from(authorization.replace(/^Basic /, ""), "base64")
      .toString()
      .split(":");
    if (needsToken && given !== options.token) {
      response.writeHead(401, { "www-authenticate": "Basic", "content-type": "text/plain" });
      response.end(`Bad credentials ${authorization}`);
      return;
    }
    serve(request, response, options);
  };
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    requests,
    intercept: (answer) => {
      intercepting = answer;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** By the rules of CGI. */
function serve(request: IncomingMessage, response: ServerResponse, { root, isOld }: GitServerOptions): void {
  const [path = "", query = ""] = (request.url ?? "").split("?");
  const { "content-type": type = "", "git-protocol": protocol = "" } = request.headers;
  const child = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env.PATH ?? "",
      HOME: root,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_CONFIG_NOSYSTEM: "1",
      PATH_INFO: decodeURIComponent(path),
      QUERY_STRING: query,
      REQUEST_METHOD: request.method ?? "GET",
      CONTENT_TYPE: type,
      REMOTE_ADDR: "127.0.0.1",
      ...(isOld ? {} : { GIT_PROTOCOL: String(protocol) }),
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  request.pipe(child.stdin);
  child.stdin.on("error", () => {});
  let head: Buffer | undefined = Buffer.alloc(0);
  child.stdout.on("data", (chunk: Buffer) => {
    if (head === undefined) return void response.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end === -1) return;
    const lines = head.toString("latin1", 0, end).split("\r\n");
    const fields = lines.map((each): [string, string] => [
      each.slice(0, each.indexOf(":")),
      each.slice(each.indexOf(":") + 1).trim(),
    ]);
    const status = fields.find(([name]) => name.toLowerCase() === "status")?.[1];
    const headers = Object.fromEntries(fields.filter(([name]) => name.toLowerCase() !== "status"));
    response.writeHead(Number.parseInt(status ?? "200", 10), headers);
    response.write(head.subarray(end + 4));
    head = undefined;
  });
  child.stdout.on("end", () => response.end());
  response.on("close", () => child.kill());
}
