/** Hostile requests, as API Gateway brings them: each is answered with a problem that says what is wrong. */
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { MiB } from "../../lib/core/limits.ts";
import { INNER_FIELDS } from "../../lib/core/run/shown-run.ts";
import { packTree } from "../../lib/pack/pack.ts";
import { fileStoreKeys } from "../../lib/registry/keys.ts";
import { thorough } from "../doubles/thorough.ts";
import { aGateway, BOB, type Gateway } from "./gateway.ts";
import { anyRequest } from "./requests.ts";
import type { Answer } from "./served.ts";

const REQUESTS = Number(process.env.API_REQUESTS ?? thorough(200, 1_000));

let gateway: Gateway;
let id: string;
beforeAll(async () => {
  gateway = await aGateway();
  id = (await gateway.post("/runs", { task: "a", model: "rehearsal" })).json.id;
  await gateway.machine.compute(id, new AbortController().signal);
});
afterEach(() => expect(gateway.failures).toEqual([]));
afterAll(() => gateway.remove());

const rehearsal = { task: "Write it", model: "rehearsal" };
const fieldsOf = ({ json }: Answer) => (json.fields as { field: string }[] | undefined)?.map(({ field }) => field);

it(`${REQUESTS} generated requests are answered as documented, and none with a failure of ours`, async () => {
  const statuses = new Map<number, number>();
  const sent = fc.tuple(anyRequest(gateway.document, id), fc.boolean(), fc.constantFrom(BOB, undefined, undefined));
  await fc.assert(
    fc.asyncProperty(sent, async ([request, base64, by]) => {
      // What is not documented is thrown there.
      const { status } = await gateway.send({ ...request, base64, ...(by === undefined ? {} : { by }) });
      expect(status).toBeLessThan(500);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }),
    { numRuns: REQUESTS },
  );
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 202, 400, 404]));
});

describe("a bad request", () => {
  it.each([
    ["malformed JSON", '{"task": "x"', "body"],
    ["a body that is not text", Uint8Array.of(0x22, 0xff, 0x22), "body"],
    ["a body that is no object", "[]", "body"],
    ["an unknown field", { ...rehearsal, colour: "red" }, "colour"],
    ["an unknown field within one", { ...rehearsal, budget: { eur: 5 } }, "budget.eur"],
    ["a wrong type", { ...rehearsal, task: 5 }, "task"],
    ["a wrong type within a list", { ...rehearsal, files: [{ path: 1, content: "" }] }, "files.0.path"],
    ["no task", { model: "rehearsal" }, "task"],
    [
      "a task above half the context window",
      { ...rehearsal, task: "word ".repeat(2_000), contextWindow: 2_048 },
      "task",
    ],
    ["a file that leads out of the run", { ...rehearsal, files: [{ path: "../../etc/passwd", content: "" }] }, "files"],
    ["a file that is absolute", { ...rehearsal, files: [{ path: "/etc/passwd", content: "" }] }, "files"],
    ["an upload by path", { ...rehearsal, uploads: { files: "../runs/x/task.json" } }, "uploads.files"],
  ])("with %s: 400, the field named, in plain text and in base64", async (_, body, field) => {
    for (const base64 of [false, true]) {
      const answer = await gateway.post("/runs", body, { base64 });
      expect({ status: answer.status, fields: fieldsOf(answer) }).toEqual({ status: 400, fields: [field] });
    }
  });

  it("with a body of 11 MB: 413, saying where to go with it", async () => {
    const body = { ...rehearsal, task: "x".repeat(11 * MiB) };
    for (const base64 of [false, true]) {
      const { status, json } = await gateway.post("/runs", body, { base64 });
      expect({ status, detail: json.detail }).toMatchObject({
        status: 413,
        detail: expect.stringContaining("/uploads"),
      });
    }
  });

  it("with a body of another type: 415", async () => {
    const headers = { "content-type": "text/plain" };
    expect((await gateway.post("/runs", rehearsal, { headers })).status).toBe(415);
  });

  it.each([
    ["a bad cursor", "/runs?cursor=x", "cursor"],
    ["another list's cursor", "/runs/:id/files?cursor=WzFd", "cursor"],
    ["a wrong type in the query", "/runs?limit=many", "limit"],
    ["a parameter twice", "/runs?limit=1&limit=2", "limit"],
    ["an unknown parameter", "/runs?colour=red", "colour"],
    ["a path that leads out", "/runs/:id/file?path=..%2F..%2Ftask.json", "path"],
    ["a path that is absolute", "/runs/:id/file?path=%2Fetc%2Fpasswd", "path"],
    ["a path with NUL", "/runs/:id/file?path=a%00b", "path"],
  ])("with %s: 400, the field named", async (_, path, field) => {
    const answer = await gateway.send({ method: "GET", path: path.replace(":id", id) });
    expect({ status: answer.status, fields: fieldsOf(answer) }).toEqual({ status: 400, fields: [field] });
  });

  it("for a run of another owner: 404 on every route, as if it did not exist", async () => {
    const paths = ["", "/events", "/files", "/file?path=a", "/output", "/program", "/requirements", "/turns/1/1"];
    const unknown = await gateway.send({ method: "GET", path: "/runs/01M7YVNZYAJ2Z5GBS6FBWX9QJ3" });
    for (const path of paths) {
      const answer = await gateway.send({ method: "GET", path: `/runs/${id}${path}`, by: BOB });
      expect(answer.status).toBe(404);
      expect(answer.json.detail.replace(id, "")).toBe(unknown.json.detail.replace("01M7YVNZYAJ2Z5GBS6FBWX9QJ3", ""));
    }
    for (const change of ["cancel", "resume"])
      expect((await gateway.post(`/runs/${id}/${change}`, {}, { by: BOB })).status).toBe(404);
  });

  it("for the output of a run that goes on: 409, with what to do", async () => {
    const { json } = await gateway.post("/runs", rehearsal);
    const { status, json: problem } = await gateway.send({ method: "GET", path: `/runs/${json.id}/output` });
    expect({ status, next: problem.next }).toMatchObject({
      status: 409,
      next: { note: expect.stringMatching(/GET https:\/\/api\.example\/v1\/runs\/\w+\/events/) },
    });
  });

  it("with an idempotency key that was used with another body: 422, the field named", async () => {
    const headers = { "content-type": "application/json", "idempotency-key": "k" };
    const first = await gateway.post("/runs", rehearsal, { headers });
    expect((await gateway.post("/runs", rehearsal, { headers })).json.id).toBe(first.json.id);
    const other = await gateway.post("/runs", { ...rehearsal, task: "Other" }, { headers });
    expect({ status: other.status, fields: fieldsOf(other) }).toEqual({ status: 422, fields: ["idempotency-key"] });
    const others = await gateway.post("/runs", { ...rehearsal, task: "Other" }, { headers, by: BOB });
    expect(others.status).toBe(202);
  });

  it("for a model whose key is not set: 409, with the command", async () => {
    const { status, json } = await gateway.post("/runs", { task: "x", model: "gpt-5" });
    expect({ status, title: json.title }).toEqual({ status: 409, title: "model key not set" });
    expect(json.next.note).toBeTruthy();
  });

  it("for what is not there: 404; by a method that is not answered: 405, with those that are", async () => {
    expect((await gateway.send({ method: "GET", path: "/nothing" })).status).toBe(404);
    const { status, headers } = await gateway.send({ method: "PATCH", path: `/runs/${id}` });
    expect([status, headers.get("allow")]).toEqual([405, "GET, DELETE"]);
  });

  it("asked with HEAD: answered as with GET, without the body", async () => {
    for (const path of [`/runs/${id}`, "/runs/none", "/nothing"]) {
      const [head, get] = [await gateway.send({ method: "HEAD", path }), await gateway.send({ method: "GET", path })];
      expect([head.status, head.text]).toEqual([get.status, ""]);
    }
  });
});

it("the document describes what answers show of a run, and no inner field", async () => {
  const run = gateway.document as { components: { schemas: { Run: { properties: object } } } };
  const described = Object.keys(run.components.schemas.Run.properties);
  const { json } = await gateway.send({ method: "GET", path: `/runs/${id}` });
  expect(described).toEqual(expect.arrayContaining(["id", "microUsd", "links"]));
  for (const inner of Object.keys(INNER_FIELDS)) expect([...described, ...Object.keys(json)]).not.toContain(inner);
});

describe("a file", () => {
  const stored = async (content: Uint8Array): Promise<Answer> => {
    const run = (await gateway.post("/runs", rehearsal)).json.id;
    await gateway.machine.files.put(fileStoreKeys(run).pack(0), packTree(undefined, [{ path: "a.txt", content }]));
    const known = await gateway.machine.registry.run(run);
    if (known) await gateway.machine.registry.change(known, { packed: 0 });
    return gateway.send({ method: "GET", path: `/runs/${run}/file?path=a.txt&at=0` });
  };

  it.each<[string, number[]]>([
    ["in Latin-1", [0x47, 0x72, 0xf6, 0xdf, 0x65, 0x0a]],
    ["with a byte order mark", [0xef, 0xbb, 0xbf, 0x61, 0x0a]],
    ["in UTF-16", [0xff, 0xfe, 0x61, 0x00]],
    ["with half a character in UTF-8", [0x61, 0xc3]],
    ["that is cut within a surrogate", [0xed, 0xa0, 0x80]],
    ["in UTF-8", [...new TextEncoder().encode("Größe ✓ 😀\r\n")]],
    ["of nothing", []],
    ["of every byte", Array.from({ length: 256 }, (_, byte) => byte)],
  ])("%s comes as it is, byte for byte", async (_, bytes) => {
    const answer = await stored(Uint8Array.from(bytes));
    expect(answer.status).toBe(200);
    expect([...answer.bytes]).toEqual(bytes);
  });
});
