/** The API as `l2mac serve` has it, on a real socket. Every answer that is asked for here is held to the OpenAPI document. */
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNamedPrograms } from "../../lib/control/program/keep-programs.ts";
import type { Evaluator, Model } from "../../lib/core/ports.ts";
import type { ManifestSigner } from "../../lib/core/provenance/signer.ts";
import { projectFile } from "../../lib/files/project-files.ts";
import { type Machine, openMachine } from "../../lib/local/machine.ts";
import { type ServeParts, serve } from "../../lib/local/server/serve.ts";
import { createRehearsalModel } from "../../lib/model/rehearsal/player.ts";
import { alwaysGreen } from "../doubles/machines.ts";
import { NO_EVIDENCE } from "../doubles/no-evidence.ts";
import { problemsWith, type Schema } from "./conforms.ts";

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: what tests look into is checked by the document already.
  json: any;
  bytes: Uint8Array;
}

export interface TestServer {
  url: string;
  machine: Machine;
  document: Schema;
  said: string[];
  ask(path: string, init?: RequestInit): Promise<Answer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  stop(): Promise<number>;
  remove(): Promise<void>;
}

/** Plays rehearsals unless another player is given, with an evaluator that finds everything fine unless another is given. */
export async function aServer({
  evaluator = alwaysGreen,
  player = createRehearsalModel({ rehearsals: projectFile("rehearsals"), now: Date.now }),
  signer,
  ...over
}: Partial<ServeParts> & { evaluator?: Evaluator; player?: Model; signer?: ManifestSigner } = {}): Promise<TestServer> {
  const home = mkdtempSync(join(tmpdir(), "l2mac-api-"));
  const machine = openMachine({
    home,
    evaluator,
    signer,
    model: async () => player,
  });
  const said: string[] = [];
  const say = (line: string): void => void said.push(line);
  const defaults = { ...NO_EVIDENCE, ...over.defaults };
  const programs = createNamedPrograms(machine.world);
  const served = await serve({ port: 0, model: {}, install: false, programs, say, ...over, defaults, machine });
  const document = (await (await fetch(`${served.url}/openapi.json`)).json()) as Schema;
  const ask: TestServer["ask"] = async (path, init = {}) => {
    const url = path.startsWith("http") ? path : served.url + path;
    const response = await fetch(url, { redirect: "manual", ...init });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const isJson = response.headers.get("content-type")?.includes("json");
    const json = isJson ? JSON.parse(new TextDecoder().decode(bytes)) : undefined;
    const answer = { status: response.status, headers: response.headers, json, bytes };
    const wrong = whyNotDocumented({ document, answer, method: init.method ?? "GET", path: new URL(url).pathname });
    if (wrong) throw new Error(`${init.method ?? "GET"} ${path} → ${response.status}: ${wrong}`);
    return answer;
  };
  return {
    url: served.url,
    machine,
    document,
    said,
    ask,
    post: (path, body, headers = {}) =>
      ask(path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    stop: served.stop,
    async remove() {
      await served.stop();
      machine.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** A port that the system gives to no connection (Linux: from 32768 on), so that it is free when a server comes back. */
export async function aLastingPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + randomInt(10_000);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    await new Promise((closed) => probe.close(closed));
    if (isFree) return port;
  }
}

/** Holds every evaluation until it is let go. */
export function aHeldEvaluator(): { evaluator: Evaluator; letGo: () => void } {
  const gate = Promise.withResolvers<void>();
  const evaluator: Evaluator = {
    async evaluate(request, signal) {
      // An end that came before is not heard of again.
      signal?.throwIfAborted();
      const aborted = new Promise<never>((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
      });
      await Promise.race([gate.promise, aborted]);
      return alwaysGreen.evaluate(request, signal);
    },
  };
  return { evaluator, letGo: gate.resolve };
}

interface Documented {
  document: Schema;
  answer: Answer;
  method: string;
  path: string;
}

/** What is not in the document is answered with 404 or 405, and a problem too. */
export function whyNotDocumented({ document, answer, method, path }: Documented): string | undefined {
  if (path.startsWith("/links/") || path.startsWith("/token") || path === "/openapi.json") return undefined;
  const place = { document, at: "answer" };
  const operation = operationOf(document, method === "HEAD" ? "GET" : method, path);
  if (!operation) {
    const asProblem = problemsWith(answer.json, { $ref: "#/components/schemas/Problem" }, place);
    const known = [403, 404, 405, 415].includes(answer.status);
    return known && asProblem.length === 0 ? undefined : `undocumented: ${asProblem}`;
  }
  const response = (operation.responses as Record<string, Schema>)[answer.status];
  if (!response) return `the status is not documented: ${JSON.stringify(answer.json)}`;
  const [[type, { schema }] = ["", {}]] = Object.entries((response.content ?? {}) as Record<string, Schema>);
  if (!schema || method === "HEAD") return undefined;
  if (answer.headers.get("content-type") !== type) return `it is ${answer.headers.get("content-type")}, not ${type}`;
  return problemsWith(answer.json, schema as Schema, place).join("; ") || undefined;
}

function operationOf(document: Schema, method: string, path: string): Schema | undefined {
  for (const [template, operations] of Object.entries(document.paths as Record<string, Schema>)) {
    const pattern = new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`);
    if (pattern.test(path)) return operations[method.toLowerCase()] as Schema | undefined;
  }
  return undefined;
}

const MOVING = ["queued", "planning", "running", "delivering"];

/** Follows a run by its events, as a client does, until it waits or ends. */
export async function followed(
  server: TestServer,
  id: string,
  from = 0,
): Promise<{ events: Schema[]; status: string }> {
  const events: Schema[] = [];
  for (let after = from; ; ) {
    const { json } = await server.ask(`/runs/${id}/events?wait=20&after=${after}`);
    events.push(...json.events);
    after = json.next;
    // A turn may take longer than a request waits.
    const isOver = json.events.length === 0 && !MOVING.includes(json.status);
    if (isOver || json.events.at(-1)?.type === "ended") {
      return { events, status: (await server.ask(`/runs/${id}`)).json.status };
    }
  }
}
