/** The API as API Gateway calls it: events in, results out. Every answer is held to the OpenAPI document. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiEvent, createApiHandler } from "../../lambdas/api.ts";
import { createRunCommands } from "../../lib/control/lifecycle/run-commands.ts";
import { projectFile } from "../../lib/files/project-files.ts";
import { builtInPacks } from "../../lib/files/prompt-folder.ts";
import { type Machine, openMachine, storageIn } from "../../lib/local/machine.ts";
import { createRehearsalModel } from "../../lib/model/rehearsal/player.ts";
import { createServedModels } from "../../lib/model/served-models.ts";
import { alwaysGreen } from "../doubles/machines.ts";
import { NO_EVIDENCE } from "../doubles/no-evidence.ts";
import { guardStorage, inRole } from "../roles/roles.ts";
import { problemsWith, type Schema } from "./conforms.ts";
import { type Answer, whyNotDocumented } from "./served.ts";

export const ADA = "arn:aws:iam::1:user/ada";
export const BOB = "arn:aws:iam::1:user/bob";

export interface Sent {
  method: string;
  /** With its query. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array | undefined;
  by?: string;
  /** As it is where all media types are binary. */
  base64?: boolean;
}

export interface Gateway {
  machine: Machine;
  document: Schema;
  /** What the API calls failures of its own. */
  failures: unknown[];
  send(sent: Sent): Promise<Answer & { text: string }>;
  post(path: string, body: unknown, more?: Partial<Sent>): Promise<Answer & { text: string }>;
  remove(): void;
}

export async function aGateway(): Promise<Gateway> {
  const home = mkdtempSync(join(tmpdir(), "l2mac-gateway-"));
  const machine = openMachine({
    home,
    storage: guardStorage(storageIn(home)),
    evaluator: alwaysGreen,
    model: async () => createRehearsalModel({ rehearsals: projectFile("rehearsals"), now: Date.now }),
  });
  const { world } = machine;
  const packs = await builtInPacks();
  const failures: unknown[] = [];
  const handler = createApiHandler({
    ...world,
    runs: createRunCommands({ world, executions: { start: async () => {} } }),
    models: createServedModels({}),
    packs: async (domain) => packs[domain],
    links: { get: async (key) => `https://links.example/${key}` },
    uploads: { put: async (key) => ({ url: `https://links.example/${key}`, headers: {} }) },
    settings: { defaults: NO_EVIDENCE, install: false, longestWaitSeconds: 0, isPaced: true },
    onFailure: (error) => void failures.push(error),
  });
  const handle = inRole("api", handler);
  const { body } = await handle(eventOf({ method: "GET", path: "/openapi.json" }));
  const document = JSON.parse(body) as Schema;
  const send: Gateway["send"] = async (sent) => {
    const answer = answerOf(await handle(eventOf(sent)));
    const path = new URL(sent.path, "https://api.example").pathname;
    // Its answer is that of GET, without what the document describes.
    if (sent.method === "HEAD") return answer;
    const wrong = whyNotDocumented({ document, answer, method: sent.method, path }) ?? whyNoProblem(document, answer);
    if (wrong) throw new Error(`${sent.method} ${sent.path} → ${answer.status}: ${wrong}`);
    return answer;
  };
  return {
    ...{ machine, document, failures, send },
    post: (path, body, more = {}) =>
      send({
        ...{ method: "POST", path, headers: { "content-type": "application/json" } },
        body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
        ...more,
      }),
    remove() {
      machine.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function eventOf({ method, path, headers = {}, body, by = ADA, base64 = false }: Sent): ApiEvent {
  const { pathname, searchParams } = new URL(path, "https://api.example");
  const query = Object.fromEntries([...searchParams.keys()].map((name) => [name, searchParams.getAll(name)]));
  const isBase64Encoded = base64 || body instanceof Uint8Array;
  return {
    ...{ httpMethod: method, path: pathname, isBase64Encoded },
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, [text]])),
    multiValueQueryStringParameters: Object.keys(query).length > 0 ? query : null,
    body: body === undefined ? null : isBase64Encoded ? Buffer.from(body).toString("base64") : String(body),
    requestContext: { requestId: "request-1", stage: "v1", domainName: "api.example", identity: { userArn: by } },
  };
}

/** As API Gateway passes it on. */
function answerOf(result: Awaited<ReturnType<ReturnType<typeof createApiHandler>>>): Answer & { text: string } {
  const bytes = new Uint8Array(Buffer.from(result.body, result.isBase64Encoded ? "base64" : "utf8"));
  const headers = new Headers(result.headers);
  const text = new TextDecoder().decode(bytes);
  const json = text !== "" && headers.get("content-type")?.includes("json") ? JSON.parse(text) : undefined;
  return { status: result.statusCode, headers, json, bytes, text };
}

/** Also where nothing is documented. */
function whyNoProblem(document: Schema, { status, headers, json, text }: Answer & { text: string }) {
  if (status < 400) return undefined;
  if (headers.get("content-type") !== "application/problem+json") return "it is no problem+json";
  if (/\n\s+at |node:internal|\.ts:\d+/.test(text)) return `it shows where in the code it happened: ${text}`;
  return (
    problemsWith(json, { $ref: "#/components/schemas/Problem" }, { document, at: "answer" }).join("; ") || undefined
  );
}
