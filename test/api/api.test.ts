/** The API over real sockets: from a task to the unpacked zip, and all that can be asked on the way. */

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { sha256 } from "../../lib/control/files/digest.ts";
import { readPack } from "../../lib/control/files/packs.ts";
import { openLocalMachine } from "../../lib/local/open.ts";
import { packTree, unpackTree } from "../../lib/pack/pack.ts";
import { fileStoreKeys } from "../../lib/registry/keys.ts";
import { aSubmission, compute } from "../doubles/machines.ts";
import { aRun } from "../doubles/runs.ts";
import { aHeldEvaluator, aServer, followed, type TestServer } from "./served.ts";

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.remove());

const rehearsal = { task: "Keep a tally of what I spend", model: "rehearsal" };

describe("a submitted task", () => {
  let id: string;
  let events: Record<string, unknown>[];
  beforeAll(async () => {
    const submitted = await server.post("/runs", rehearsal);
    expect(submitted.status).toBe(202);
    expect(submitted.headers.get("location")).toBe(submitted.json.links.self);
    id = submitted.json.id;
    const ended = await followed(server, id);
    expect(ended.status).toBe("completed");
    events = ended.events;
  });

  it("tells all its events by long polls, none missing and none twice", () => {
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(["created", "program", "verdict", "ended"]));
  });

  it("gives a link to a zip that needs nothing else, and equals what the machine made", async () => {
    const { json } = await server.ask(`/runs/${id}/output`);
    const zip = new Uint8Array(await (await fetch(json.url)).arrayBuffer());
    expect({ bytes: zip.length, sha256: sha256(zip) }).toEqual({ bytes: json.bytes, sha256: json.sha256 });
    const run = await server.machine.registry.run(id);
    expect(Buffer.from(zip)).toEqual(Buffer.from(await readPack(server.machine.files, id, run?.packed ?? -1)));
    const { json: listed } = await server.ask(`/runs/${id}/files?limit=1000`);
    expect([...unpackTree(zip).keys()]).toEqual(listed.files.map((file: { path: string }) => file.path).toSorted());
  });

  it("gives the link without reading the zip, whose size and hash were noted when it was written", async () => {
    const run = await server.machine.registry.run(id);
    const reads = vi.spyOn(server.machine.files, "get");
    const { json: output } = await server.ask(`/runs/${id}/output`);
    const keys = reads.mock.calls.map(([key]) => key);
    reads.mockRestore();
    expect(keys.filter((key) => key.endsWith(".zip"))).toEqual([]);
    expect(output.sha256).toBe(run?.outputDigest?.sha256);
    const { json: earlier } = await server.ask(`/runs/${id}/output?at=1`);
    expect(earlier.sha256).toBe(sha256(await readPack(server.machine.files, id, 1)));
  });

  it("has a link that cannot be changed into another", async () => {
    const { json } = await server.ask(`/runs/${id}/output`);
    const [what = "", signature] = json.url.split("/").at(-1).split(".");
    const [, expires, name] = JSON.parse(Buffer.from(what, "base64url").toString());
    const other = Buffer.from(JSON.stringify([fileStoreKeys(id).task, expires, name])).toString("base64url");
    expect((await server.ask(`/links/${other}.${signature}`)).status).toBe(404);
    expect((await server.ask("/links/x")).status).toBe(404);
  });

  it("shows its status, its requirements, its program and its turns", async () => {
    expect((await server.ask(`/runs/${id}`)).json).toMatchObject({ id, status: "completed", owner: "local" });
    const { json: program, headers } = await server.ask(`/runs/${id}/program`);
    expect(program.instructions.every(({ status }: { status: string }) => status === "accepted")).toBe(true);
    expect(headers.get("etag")).toMatch(/^"\w+"$/);
    const { json: asked } = await server.ask(`/runs/${id}/requirements`);
    expect(asked.requirements).toEqual(program.requirements);
    const { json: entry } = await server.ask(`/runs/${id}/turns/1/1`);
    expect(entry).toMatchObject({ turn: { instruction: 1, turn: 1, state: "committed" } });
    expect(entry.effects.results.length).toBeGreaterThan(0);
    expect((await server.ask(`/runs/${id}/turns/1/999`)).status).toBe(404);
    const { json: all } = await server.ask(`/runs/${id}/turns?limit=1000`);
    expect(all.turns[0]).toMatchObject({ instruction: 0, turn: 1 });
    expect(all.turns.flatMap((each: { read?: string[] }) => each.read ?? [])).toContain("src/csv.js");
    const paged = [];
    for (let after = ""; ; ) {
      const { json: page } = await server.ask(`/runs/${id}/turns?limit=7${after}`);
      paged.push(...page.turns);
      if (!page.next) break;
      after = `&after=${page.next}`;
    }
    expect(paged).toEqual(all.turns);
    expect(JSON.stringify(paged)).not.toContain("Key");
    // Lane 1 is the run itself.
    const [ofLane1, ofRun] = ["1.1@1", "1.1"].map((after) => server.ask(`/runs/${id}/turns?limit=7&after=${after}`));
    expect((await ofLane1)?.json).toEqual((await ofRun)?.json);
    expect((await server.ask(`/runs/${id}/turns?after=x`)).json.fields).toMatchObject([{ field: "after" }]);
    expect((await server.ask(`/runs/${id}/turns/x/1`)).json.fields).toMatchObject([{ field: "instruction" }]);
  });

  it("shows its files page by page, and as they were", async () => {
    const whole = (await server.ask(`/runs/${id}/files`)).json.files;
    const paged = [];
    for (let cursor = ""; ; ) {
      const { json } = await server.ask(`/runs/${id}/files?limit=2${cursor && `&cursor=${cursor}`}`);
      paged.push(...json.files);
      if (!json.cursor) break;
      cursor = json.cursor;
    }
    expect(paged).toEqual(whole);
    const run = (await server.ask(`/runs/${id}`)).json;
    const last = (await server.ask(`/runs/${id}/files?at=${run.packed}`)).json.files;
    expect(last.map(({ path }: { path: string }) => path)).toEqual(whole.map(({ path }: { path: string }) => path));
    expect((await server.ask(`/runs/${id}/files?at=0`)).json.files).toEqual([]);
    const first = (await server.ask(`/runs/${id}/files?at=1`)).json.files;
    const turns = await server.machine.registry.turns(id, 1);
    expect((await server.ask(`/runs/${id}/files?at=1.${turns.length}`)).json.files).toEqual(first);
    expect((await server.ask(`/runs/${id}/files?at=1.${turns.length}@1`)).json.files).toEqual(first);
    expect((await server.ask(`/runs/${id}/files?at=999`)).status).toBe(404);
    expect((await server.ask(`/runs/${id}/files?prefix=SRC/`)).json.files.length).toBeGreaterThan(0);
  });

  it("gives a file as bytes that no browser acts on", async () => {
    const entry = await server.machine.registry.file(id, "package.json");
    for (const at of ["", "&at=1"]) {
      const { bytes, headers } = await server.ask(`/runs/${id}/file?path=package.json${at}`);
      if (!at) expect(sha256(bytes)).toBe(entry?.sha256);
      expect(JSON.parse(new TextDecoder().decode(bytes))).toHaveProperty("name");
      expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toContain("sandbox");
      expect(headers.get("content-disposition")).toMatch(/^attachment/);
    }
    expect((await server.ask(`/runs/${id}/file?path=no.txt`)).status).toBe(404);
  });

  it("is listed and found, and there is nothing left to cancel or resume", async () => {
    const ids = async (query: string) =>
      (await server.ask(`/runs?${query}`)).json.runs.map((run: { id: string }) => run.id);
    expect(await ids("")).toContain(id);
    expect(await ids("status=completed&q=TALLY")).toContain(id);
    expect(await ids("status=failed")).not.toContain(id);
    expect((await server.post(`/runs/${id}/cancel`, {})).status).toBe(409);
    const resumed = await server.post(`/runs/${id}/resume`, {});
    expect(resumed.status).toBe(409);
    expect(resumed.json.detail).toContain("completed");
  });

  it("made the very zip that the machine makes without a server", async () => {
    const { machine, ...own } = await aServer();
    const run = await compute(machine, await aSubmission({ task: rehearsal.task, profile: { model: "rehearsal" } }));
    const zip = await machine.files.get(fileStoreKeys(run.id).output(`${run.name}.zip`));
    await own.remove();
    expect((await server.ask(`/runs/${id}/output`)).json.sha256).toBe(sha256(zip ?? ""));
  });
});

describe("submitting twice", () => {
  it("with one idempotency key makes one run, and another body is refused", async () => {
    const key = { "idempotency-key": "once" };
    const [one, other] = await Promise.all([
      server.post("/runs", rehearsal, key),
      server.post("/runs", rehearsal, key),
    ]);
    expect(other.json.id).toBe(one.json.id);
    const refused = await server.post("/runs", { ...rehearsal, task: "Something else" }, key);
    expect(refused.status).toBe(422);
    await followed(server, one.json.id);
  });
});

describe("a run that is stopped", () => {
  it("says what to do instead of giving an output, is cancelled, and goes on when resumed", async () => {
    const { evaluator, letGo } = aHeldEvaluator();
    const own = await aServer({ evaluator });
    const { json } = await own.post("/runs", rehearsal);
    const early = await own.ask(`/runs/${json.id}/output`);
    expect(early.status).toBe(409);
    expect(early.json.next.note).toContain("/events");
    expect((await own.post(`/runs/${json.id}/cancel`, "")).status).toBe(202);
    letGo();
    const cancelled = await followed(own, json.id);
    expect(cancelled.status).toBe("cancelled");
    expect((await own.post(`/runs/${json.id}/resume`, { budget: { turns: 500 } })).status).toBe(202);
    expect((await followed(own, json.id, cancelled.events.length)).status).toBe("completed");
    await own.remove();
  });

  it("at its ceiling takes none that is used up already, and names the field", async () => {
    const { json } = await server.post("/runs", { ...rehearsal, budget: { turns: 3 } });
    expect(await followed(server, json.id)).toMatchObject({ status: "partial" });
    const tooLow = await server.post(`/runs/${json.id}/resume`, { budget: { turns: 2 } });
    const problem = "3 turns are used: the ceiling must be above that.";
    expect([tooLow.status, tooLow.json.fields]).toEqual([400, [{ field: "budget.turns", problem }]]);
    expect((await server.ask(`/runs/${json.id}`)).json.status).toBe("partial");
  });

  it("when the server stops is kept, waiting, and said so", async () => {
    const own = await aServer(aHeldEvaluator());
    const submitted = await Promise.all([1, 2, 3, 4, 5].map(() => own.post("/runs", rehearsal)));
    await own.machine.sweep({ spareHeld: true });
    const statuses = (await own.ask("/runs")).json.runs.map(({ status }: { status: string }) => status);
    expect(statuses).not.toContain("waiting");
    expect(await own.stop()).toBe(5);
    for (const { json } of submitted) {
      expect(await own.machine.registry.run(json.id)).toMatchObject({ status: "waiting", reason: "interrupted" });
    }
    await own.remove();
  });
});

describe("files to start from", () => {
  it("go with the task", async () => {
    const files = [{ path: "notes/hello.txt", content: "Hello.\n" }];
    const { json } = await server.post("/runs", { ...rehearsal, files });
    await followed(server, json.id);
    expect((await server.ask(`/runs/${json.id}/files?at=0`)).json.files).toEqual([
      { path: "notes/hello.txt", bytes: 7 },
    ]);
  });

  it("have the given tests laid over them, and the task says which these are", async () => {
    const test = (content: string) => ({ path: "check/a.test.js", content });
    const given = test('import { test } from "node:test";\ntest("holds", () => {});\n');
    const { json } = await server.post("/runs", { ...rehearsal, files: [test("throw 1;\n")], tests: [given] });
    await followed(server, json.id);
    const run = (await server.ask(`/runs/${json.id}`)).json;
    expect(run).toMatchObject({ status: "completed", lockedTests: expect.any(Number) });
    expect((await server.ask(`/runs/${json.id}/task`)).json.tests).toEqual([given.path]);
    const { bytes } = await server.ask(`/runs/${json.id}/file?path=${given.path}`);
    expect(new TextDecoder().decode(bytes)).toBe(given.content);
  });

  it("can be the result of an earlier run", async () => {
    const { json: first } = await server.post("/runs", rehearsal);
    await followed(server, first.id);
    const { json } = await server.post("/runs", { ...rehearsal, after: first.id });
    await followed(server, json.id);
    const filesAt = async (path: string) =>
      (await server.ask(path)).json.files.map((file: { path: string }) => file.path);
    expect(await filesAt(`/runs/${json.id}/files?at=0&limit=1000`)).toEqual(
      await filesAt(`/runs/${first.id}/files?limit=1000`),
    );
  });

  it("can be uploaded as a zip, once, of the size that was said", async () => {
    const zip = packTree(undefined, [{ path: "a.txt", content: new TextEncoder().encode("a") }]);
    const { json: upload } = await server.post("/uploads", { bytes: zip.length });
    const put = (): Promise<Response> => fetch(upload.url, { method: "PUT", body: zip.slice() });
    expect((await put()).status).toBe(200);
    expect((await put()).status).toBe(404);
    const { json } = await server.post("/runs", { ...rehearsal, uploads: { files: upload.id } });
    await followed(server, json.id);
    expect((await server.ask(`/runs/${json.id}/files?at=0`)).json.files).toEqual([{ path: "a.txt", bytes: 1 }]);
    const { json: other } = await server.post("/uploads", { bytes: 5 });
    expect((await fetch(other.url, { method: "PUT", body: "too much" })).status).toBe(400);
    const unknown = await server.post("/runs", { ...rehearsal, uploads: { files: other.id } });
    expect(unknown.json.fields).toMatchObject([{ field: "uploads.files" }]);
  });
});

describe("a program", () => {
  it("is executed as it is given, and cannot be replaced while nothing waits for approval", async () => {
    const program = [{ title: "One", text: "Write one file." }];
    const { json } = await server.post("/runs", { ...rehearsal, program, budget: { turns: 1 } });
    await followed(server, json.id);
    const shown = await server.ask(`/runs/${json.id}/program`);
    expect(shown.json.instructions).toMatchObject([{ number: 1, title: "One", text: "Write one file." }]);
    const put = (etag?: string) =>
      server.ask(`/runs/${json.id}/program`, {
        method: "PUT",
        headers: { "content-type": "application/json", ...(etag ? { "if-match": etag } : {}) },
        body: JSON.stringify(program),
      });
    expect((await put()).status).toBe(428);
    expect((await put('"other"')).status).toBe(412);
    expect((await put(shown.headers.get("etag") ?? "")).status).toBe(409);
  });
});

describe("a program with needs", () => {
  it.each([
    [{}, 4],
    [{ parallel: 2 }, 2],
  ])("sent with %o has %i lanes", async (options, lanes) => {
    const program = [
      { id: "one", text: "Write one file." },
      { text: "Write another.", needs: [] },
    ];
    const { json } = await server.post("/runs", { ...rehearsal, ...options, program, approve: "plan" });
    const { json: run } = await server.ask(`/runs/${json.id}`);
    expect(run.options.parallel).toBe(lanes);
    expect(json.notes?.join(" ") ?? "").toMatch(lanes === 4 ? /up to 4 are executed side by side/ : /^$/);
  });
});

describe("an answer of more than 1 MB", () => {
  it("is stored, and a link to it is given, with the etag", async () => {
    const program = Array.from({ length: 30 }, (_, index) => ({
      title: `Part ${index}`,
      text: "word ".repeat(10_000),
    }));
    const { json } = await server.post("/runs", { ...rehearsal, program, budget: { turns: 1 } });
    await followed(server, json.id);
    const answer = await server.ask(`/runs/${json.id}/program`);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("etag")).toMatch(/^"\w+"$/);
    const stored = JSON.parse(await (await fetch(answer.headers.get("location") ?? "")).text());
    expect(stored.instructions).toHaveLength(30);
  });

  it("such as a large file is where its bytes are", async () => {
    const content = "x".repeat(1_500_000);
    const { json } = await server.post("/runs", { ...rehearsal, files: [{ path: "x.txt", content }] });
    const answer = await server.ask(`/runs/${json.id}/file?path=x.txt`);
    expect(answer.status).toBe(303);
    expect(await (await fetch(answer.headers.get("location") ?? "")).text()).toBe(content);
    await server.post(`/runs/${json.id}/cancel`, {});
  });
});

describe("runs of others", () => {
  it("computed by another process are seen; those of other owners are not there", async () => {
    const other = openLocalMachine({ home: server.machine.home, env: process.env });
    const { registry } = server.machine;
    await registry.create(aRun({ id: "01M7YVNZYAJ2Z5GBS6FBWX9QJ3", owner: "somebody" }));
    for (const path of [
      "",
      "/events",
      "/files",
      "/output",
      "/program",
      "/requirements",
      "/file?path=a",
      "/turns",
      "/turns/1/1",
    ]) {
      expect((await server.ask(`/runs/01M7YVNZYAJ2Z5GBS6FBWX9QJ3${path}`)).status).toBe(404);
    }
    expect((await server.post("/runs/01M7YVNZYAJ2Z5GBS6FBWX9QJ3/cancel", {})).status).toBe(404);
    const { runs } = await other.registry.runs({ owner: "local", limit: 100 });
    other.close();
    const shown = (await server.ask("/runs?limit=100")).json.runs;
    expect(shown.map(({ id }: { id: string }) => id)).toEqual(runs.map(({ id }) => id));
  });
});

const DELETION = { method: "DELETE", headers: { "content-type": "application/json" } };

describe("a run that is deleted", () => {
  it("is gone with its files, and once only", async () => {
    const { id } = (await server.post("/runs", rehearsal)).json;
    await followed(server, id);
    const { status, json } = await server.ask(`/runs/${id}`, DELETION);
    expect({ status, json }).toEqual({ status: 200, json: { id, status: "deleted" } });
    for (const path of ["", "/files", "/events", "/output"])
      expect((await server.ask(`/runs/${id}${path}`)).status).toBe(404);
    expect((await server.ask(`/runs/${id}`, DELETION)).status).toBe(404);
    expect((await server.ask("/runs")).json.runs.map((run: { id: string }) => run.id)).not.toContain(id);
  });

  it("must be cancelled first where it is computed", async () => {
    const held = aHeldEvaluator();
    const other = await aServer({ evaluator: held.evaluator });
    const { id } = (await other.post("/runs", rehearsal)).json;
    const { status, json } = await other.ask(`/runs/${id}`, DELETION);
    expect({ status, detail: json.detail, next: json.next }).toEqual({
      status: 409,
      detail: expect.stringContaining("not being computed can be deleted"),
      next: { command: "cancel", args: [id], request: { method: "POST", path: `/runs/${id}/cancel` } },
    });
    await other.remove();
  });
});
