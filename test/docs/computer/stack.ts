/** The API of a deployed stack: signed requests to its address are handed on to `l2mac serve`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createInterface } from "node:readline";
import { buffer } from "node:stream/consumers";
import { STACKS } from "./network.ts";

export interface StackServer {
  handOn(request: IncomingMessage, response: ServerResponse): void;
  stop(): Promise<void>;
}

export const isStack = ({ headers }: IncomingMessage): boolean => STACKS.includes(headers.host ?? "");

export async function startStack({ cwd, env }: { cwd: string; env: Record<string, string> }): Promise<StackServer> {
  const own = { ...env, OPENAI_API_KEY: "example-key", L2MAC_HOME: "../stack" };
  const serve = ["bin/l2mac.mjs", "serve", "--port", "0"];
  const child = spawn(process.execPath, serve, { cwd, env: own, stdio: ["ignore", "pipe", "inherit"] });
  const [url = ""]: string[] = await once(createInterface(child.stdout), "line");
  return {
    handOn(request, response) {
      handOn(request, response, url).catch((error: unknown) => response.writeHead(502).end(String(error)));
    },
    async stop() {
      const closed = once(child, "close");
      child.kill("SIGKILL");
      await closed;
    },
  };
}

/** API Gateway answers without a signature with 403; links to files need none. */
async function handOn(request: IncomingMessage, response: ServerResponse, url: string): Promise<void> {
  const { authorization = "", host, "content-type": type = "application/json" } = request.headers;
  const isLink = links.has(`https://${host}${request.url}`);
  if (!isLink && !authorization.startsWith("AWS4-HMAC-SHA256 ")) return void response.writeHead(403).end("{}");
  const body = await buffer(request);
  const key = request.headers["idempotency-key"];
  const answer = await fetch(url + (request.url ?? "/").replace(/^\/v1/, ""), {
    method: request.method ?? "GET",
    headers: { "content-type": type, ...(key ? { "idempotency-key": String(key) } : {}) },
    ...(body.length > 0 ? { body: Uint8Array.from(body) } : {}),
  });
  const own = (text: string): string => text.replaceAll(url, `https://${host}/v1`);
  const headers = [...answer.headers].filter(([name]) => !/^(content-(length|encoding)|transfer-encoding)$/.test(name));
  response.writeHead(answer.status, Object.fromEntries(headers.map(([name, value]) => [name, own(value)])));
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (!/json/.test(answer.headers.get("content-type") ?? "")) return void response.end(bytes);
  const text = own(bytes.toString());
  for (const [, link = ""] of text.matchAll(/"url":"([^"]+)"/g)) links.add(link);
  response.end(text);
}

const links = new Set<string>();
