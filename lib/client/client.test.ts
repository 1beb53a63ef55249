import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aServer, type TestServer } from "../../test/api/served.ts";
import { aSubmission } from "../../test/doubles/machines.ts";
import {
  type Heard,
  json,
  passingOn,
  refusal,
  type Script,
  type ScriptedApi,
  startScriptedApi,
} from "../../test/servers/scripted-api.ts";
import { treeHash } from "../control/files/tree-hash.ts";
import { UserError } from "../core/errors.ts";
import type { Run } from "../core/run/run.ts";
import { remedyText } from "../core/text/command-line.ts";
import { followRun } from "./follow-run.ts";
import { type HttpClient, openHttpClient } from "./http.ts";
import { replayJournal } from "./in-process.ts";
import { rehearse } from "./rehearse.ts";

let server: TestServer | undefined;
let between: ScriptedApi | undefined;
let pauses: number[];
beforeEach(() => {
  pauses = [];
});
afterEach(async () => {
  await between?.close();
  await server?.remove();
  server = undefined;
  between = undefined;
});

const apiAt = (url: string): Promise<HttpClient> =>
  openHttpClient({ url, env: {}, random: () => 1, sleep: async (milliseconds) => void pauses.push(milliseconds) });

/** The real API, some of whose answers get lost. */
async function lossy(spoil: (heard: Heard, count: number) => boolean): Promise<HttpClient> {
  server = await aServer();
  between = await startScriptedApi(passingOn(server.url, spoil));
  return apiAt(between.url);
}

async function scripted(script: Script): Promise<HttpClient> {
  between = await startScriptedApi(script);
  return apiAt(between.url);
}

const failure = async (work: Promise<unknown>): Promise<UserError> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof UserError) return error;
  throw new Error(`No UserError: ${String(error)}`);
};

const asked = (path: RegExp): Heard[] => between?.heard.filter((each) => path.test(each.path)) ?? [];
const SOME_RUN = "01M7Z1RMSGY01SPAVCS1MK33SH";
const SOME_OUTPUT = { id: SOME_RUN, status: "completed", packed: 1 } as Run;

describe("a submission whose answer is lost", () => {
  it("is sent again with the same key, and makes one run", async () => {
    const api = await lossy(({ method, path }, count) => method === "POST" && path === "/runs" && count <= 2);
    const { id } = await api.submit({ task: "A tally.", model: "rehearsal" });
    expect((await api.runs()).map((run) => run.id)).toEqual([id]);
    const sent = asked(/^\/runs$/).filter(({ method }) => method === "POST");
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    expect(pauses).toEqual([300, 600]);
  });

  it("gives up after a while, and says what may be the matter", async () => {
    const api = await scripted(() => undefined);
    const { exitCode, message } = await failure(api.submit({ task: "A tally." }));
    expect({ exitCode, tries: between?.heard.length }).toEqual({ exitCode: 3, tries: 6 });
    expect(message).toContain("cannot be reached: the connection was closed");
  });
});

describe("a run whose starting files are not loaded yet", () => {
  it("is replayed from its journal, to the files that it starts from", async () => {
    server = await aServer();
    const from = new Map([["own.txt", new TextEncoder().encode("mine\n")]]);
    const submission = await aSubmission({ options: { from: true }, submission: { from } });
    const run = await server.machine.submit(submission);
    expect(run).toMatchObject({ toLoad: 1, files: 1 });
    const replayed = await replayJournal(await apiAt(server.url), run);
    expect(replayed).toMatchObject({ turns: 0, treeHash: replayed.expected });
    expect(replayed).not.toHaveProperty("difference");
    expect(replayed.expected).not.toBe(treeHash([]));
  });
});

describe("a change whose answer is lost", () => {
  it("is not asked for twice: the run tells that it was done", async () => {
    const api = await lossy(({ path }) => /cancel$/.test(path));
    const run = await rehearsed(api);
    const { machine } = server as TestServer;
    const stopped = await machine.submit({ ...(await anotherOf(machine, run.id)) });
    await api.cancel(stopped);
    expect(asked(/cancel$/)).toHaveLength(1);
    expect((await api.run(stopped.id))?.status).toBe("cancelled");
  });

  it("is asked for again where the run tells that it was not", async () => {
    const api = await lossy(({ path }) => /cancel$/.test(path));
    const run = await rehearsed(api);
    const { message } = await failure(api.cancel({ ...run, status: "running" }));
    expect(asked(/cancel$/)).toHaveLength(2);
    expect(message).toContain("cannot be reached");
  });
});

const rehearsed = (api: HttpClient) => rehearse(api, { name: "first" });

/** A run that is not being computed. */
async function anotherOf(machine: TestServer["machine"], id: string) {
  const run = await machine.registry.run(id);
  const { readTaskDocument } = await import("../control/program/stored-task.ts");
  if (!run) throw new Error("There is no run.");
  const document = await readTaskDocument(machine.files, id);
  return { ...document, name: "second", profile: run.profile, options: run.options };
}

describe("a server that is busy or broken", () => {
  it("is asked again, as late as it says", async () => {
    let count = 0;
    const api = await scripted(() => {
      count += 1;
      if (count === 1) return refusal(429, { detail: "slow down" }, { "retry-after": "7" });
      return count === 2 ? refusal(503, {}) : json({ runs: [] });
    });
    expect(await api.runs()).toEqual([]);
    expect(pauses).toEqual([7_000, 600]);
  });

  it("is given up after four tries, with the request's id", async () => {
    const api = await scripted(() => refusal(500, { detail: "Something went wrong.", requestId: "r-1" }));
    const { exitCode, message } = await failure(api.runs());
    expect({ exitCode, tries: between?.heard.length }).toEqual({ exitCode: 6, tries: 4 });
    expect(message).toContain("HTTP 500 (request r-1): Something went wrong.");
  });
});

describe("what the API answers is not trusted:", () => {
  const run = { id: SOME_RUN, name: "x" };
  it.each<[string, Script, RegExp]>([
    ["no JSON", () => ({ body: "<html>hello</html>" }), /does not understand/],
    ["other JSON", () => json({ runs: [{ id: 3 }] }), /does not understand: runs\.0/],
    [
      "a redirection",
      () => ({ status: 302, headers: { location: "http://127.0.0.1:1/" } }),
      /sends to another address/,
    ],
    [
      "a link to elsewhere on this computer",
      () => ({ status: 303, headers: { location: "http://127.0.0.1:1/" } }),
      /leads to an address that is not safe/,
    ],
    ["a link to nowhere", () => ({ status: 303, headers: {} }), /leads to an address that is not safe/],
  ])("%s", async (_, script, why) => {
    const api = await scripted(script);
    expect((await failure(api.runs())).message).toMatch(why);
  });

  it("an answer without end", async () => {
    const api = await scripted(() => ({ body: new Uint8Array(65 * 1024 * 1024) }));
    expect((await failure(api.runs())).message).toContain("it is too large");
  });

  it.each([
    ["an id that is none", { ...run, id: "../../x" }],
    ["a name that is a path", { ...run, name: "../x" }],
    ["a name that no folder can have", { ...run, name: "con" }],
    ["a time that is none", { ...run, createdAt: "\u001b[2J" }],
  ])("%s", async (_, over) => {
    server = await aServer();
    const real = await apiAt(server.url);
    const known = await rehearse(real);
    const view = (await server.ask(`/runs/${known.id}`)).json;
    const api = await scripted(() => json({ runs: [{ ...view, ...over }] }));
    expect((await failure(api.runs())).message).toContain("does not understand: runs.0");
  });

  it("a zip that is not the one that was announced", async () => {
    const link = { expiresAt: "", bytes: 5, sha256: "0".repeat(64) };
    const api = await scripted(({ path, headers }) =>
      path === "/zip" ? { body: "other" } : json({ ...link, url: `http://${headers.host}/zip` }),
    );
    expect((await failure(api.output(SOME_OUTPUT))).message).toContain("not the one that it announced");
  });

  it("a zip that is larger than it was announced", async () => {
    const link = { expiresAt: "", bytes: 5, sha256: "0".repeat(64) };
    const api = await scripted(({ path, headers }) =>
      path === "/zip" ? { body: "much more" } : json({ ...link, url: `http://${headers.host}/zip` }),
    );
    expect((await failure(api.output(SOME_OUTPUT))).message).toContain("larger than it can be");
  });

  it("a link with its secret, which no message repeats", async () => {
    const link = { expiresAt: "", bytes: 5, sha256: "0".repeat(64) };
    const api = await scripted(({ path, headers }) =>
      path.startsWith("/zip")
        ? { status: 403 }
        : json({ ...link, url: `http://${headers.host}/zip?X-Amz-Signature=abc` }),
    );
    const { message, remedy } = await failure(api.output(SOME_OUTPUT));
    expect(message).toContain("HTTP 403");
    expect(`${message} ${JSON.stringify(remedy)}`).not.toContain("abc");
  });
});

describe("a refusal", () => {
  const TOKEN = "IQoJb3JpZ2luX2VjE".repeat(20);
  it.each([
    [401, { detail: "Unauthorized" }, 3, /does not let these credentials in/, /get-caller-identity/],
    [403, { detail: "The security token included in the request is expired" }, 3, /expired/, /Sign in again/],
    [
      403,
      { detail: "User: arn:aws:iam::1:user/me is not authorized to perform: execute-api:Invoke" },
      3,
      /me/,
      /allow/,
    ],
    [403, { detail: "Missing Authentication Token" }, 3, /Missing/, /ends with the stage/],
    [403, { message: "Forbidden" }, 3, /in: Forbidden/, /get-caller-identity/],
    [403, { Message: "User: me is not authorized to perform: execute-api:Invoke" }, 3, /User: me/, /allow you/],
    [404, { detail: "There is no such run." }, 2, /no such run/, /l2mac list/],
    [
      409,
      { title: "conflict", detail: "It has ended.", next: { command: "get", args: ["X"] } },
      2,
      /^It has ended\.$/,
      /^l2mac get X$/,
    ],
    [409, { title: "model key not set", detail: "No key.", next: { note: "aws …" } }, 3, /^No key\.$/, /^aws …$/],
    [413, { detail: "Too much." }, 2, /Too much/, /100 MiB/],
    [422, { detail: "Used before." }, 2, /Used before/, /again/],
    [418, {}, 2, /HTTP 418/, /address/],
  ])("%i %j is an exit with %i", async (status, problem, code, what, next) => {
    const api = await scripted(() => refusal(status, problem));
    const { exitCode, message, remedy } = await failure(api.runs());
    expect({ exitCode, message, remedy: remedyText(remedy ?? "", "l2mac") }).toEqual({
      exitCode: code,
      message: expect.stringMatching(what),
      remedy: expect.stringMatching(next),
    });
  });

  it("of a signature shows nothing of what was signed", async () => {
    const detail = `The request signature we calculated does not match. The Canonical String for this request should have been 'GET x-amz-security-token:${TOKEN}'`;
    const api = await scripted(() => refusal(403, { detail }));
    const { message, remedy } = await failure(api.runs());
    expect(message).toContain("does not match");
    expect(`${message}${JSON.stringify(remedy)}`).not.toContain(TOKEN.slice(0, 30));
  });
});

describe("a rehearsal", () => {
  it("is followed from its first event to its last, page by page, and leaves what it made", async () => {
    server = await aServer();
    const api = await apiAt(server.url);
    const seen: number[] = [];
    const run = await rehearse(api, { show: (events) => seen.push(...events.map(({ seq }) => seq)) });
    expect(run).toMatchObject({ status: "completed", name: "rehearsal-whether-everything-computes" });
    expect(seen).toEqual(Array.from({ length: run.events }, (_, index) => index + 1));
    const files = await api.files(run.id);
    const tree = await api.output(run);
    expect([...tree.keys()].toSorted()).toEqual(files.map(({ path }) => path).toSorted());
    expect((await api.output(run, 0)).size).toBe(0);
    expect(await api.file(run.id, { path: "no/such file & =+%25.txt" })).toBeUndefined();
  });

  it("is left at a signal, and goes on", async () => {
    server = await aServer();
    const api = await apiAt(server.url);
    const { id } = await api.submit({ task: "A tally.", model: "rehearsal" });
    const stop = new AbortController();
    await followRun(api, id, { after: 0, show: () => stop.abort(), signal: stop.signal });
    const ended = await followRun(api, id, { after: 0, show: () => {} });
    expect(ended.status).toBe("completed");
  });
});
