/** Bad requests: each is answered with a problem that names what is wrong, and nothing is stored. */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aRun } from "../doubles/runs.ts";
import { aServer, followed, type TestServer } from "./served.ts";

let server: TestServer;
let id: string;
beforeAll(async () => {
  server = await aServer();
  id = (await server.post("/runs", { task: "a", model: "rehearsal" })).json.id;
  await followed(server, id);
});
afterAll(() => server.remove());

const json = { "content-type": "application/json" };
const rehearsal = { task: "Write it", model: "rehearsal" };
const fieldsOf = ({ json }: { json: { fields?: { field: string }[] } }) => json.fields?.map(({ field }) => field);

describe("a bad submission is refused with 400 and the field named", () => {
  it.each<[string, unknown, string]>([
    ["a body that is no object", [], "body"],
    ["a body that is null", null, "body"],
    ["no task", { model: "rehearsal" }, "task"],
    ["an empty task", { ...rehearsal, task: " \n" }, "task"],
    ["a task of half a character", '{"task":"\\ud800","model":"rehearsal"}', "task"],
    ["a task that is a number", { ...rehearsal, task: 5 }, "task"],
    ["an unknown field", { ...rehearsal, colour: "red" }, "colour"],
    ["an unknown field within one", { ...rehearsal, budget: { eur: 5 } }, "budget.eur"],
    ["the name of a prototype", `{"task":"x","model":"rehearsal","__proto__":{"a":1}}`, "__proto__"],
    ["a negative ceiling", { ...rehearsal, budget: { usd: -1 } }, "budget.usd"],
    ["an endless ceiling", '{"task":"x","model":"rehearsal","budget":{"usd":1e999}}', "budget.usd"],
    ["too many steps", { ...rehearsal, steps: 10_001 }, "steps"],
    ["a model that is its own fallback", { task: "Write it", model: "a,a" }, "model"],
    ["a rehearsal as a fallback", { task: "Write it", model: "a,rehearsal" }, "model"],
    ["another action for a stuck instruction", { ...rehearsal, onTrap: "panic" }, "onTrap"],
    ["an unknown domain", { ...rehearsal, domain: "song" }, "domain"],
    ["an unknown tool", { ...rehearsal, tools: ["rm"] }, "tools.0"],
    ["a name with a slash", { ...rehearsal, name: "a/b" }, "name"],
    ["a name of dots", { ...rehearsal, name: ".." }, "name"],
    ["an empty program", { ...rehearsal, program: [] }, "program"],
    ["a program of something else", { ...rehearsal, program: { instructions: 5 } }, "program"],
    [
      "a program that serves an unknown requirement",
      { ...rehearsal, program: [{ text: "x", requirements: ["R9"] }] },
      "program",
    ],
    [
      "two requirements of one id",
      {
        ...rehearsal,
        program: {
          instructions: ["x"],
          requirements: [
            { id: "R1", text: "a" },
            { id: "R1", text: "b" },
          ],
        },
      },
      "program",
    ],
    ["a task that gives one label twice", { ...rehearsal, task: "- R1: one\n- R1: two" }, "task"],
    ["a path that leads out", { ...rehearsal, files: [{ path: "../x", content: "" }] }, "files"],
    [
      "a path twice",
      {
        ...rehearsal,
        files: [
          { path: "x", content: "" },
          { path: "x", content: "" },
        ],
      },
      "files",
    ],
    [
      "paths that differ in case",
      {
        ...rehearsal,
        files: [
          { path: "x", content: "" },
          { path: "X", content: "" },
        ],
      },
      "files",
    ],
    [
      "an upload that is not there",
      { ...rehearsal, uploads: { files: "01M7YVNZYAJ2Z5GBS6FBWX9QJ3" } },
      "uploads.files",
    ],
    ["the result of a run that is not there", { ...rehearsal, after: "01M7YVNZYAJ2Z5GBS6FBWX9QJ3" }, "after"],
    [
      "the result of a run beside files",
      { ...rehearsal, after: "01M7YVNZYAJ2Z5GBS6FBWX9QJ3", files: [{ path: "x", content: "" }] },
      "after",
    ],
    ["tests that lead out", { ...rehearsal, tests: [{ path: "../test_x.py", content: "" }] }, "tests"],
    ["tests that are none", { ...rehearsal, tests: [] }, "tests"],
    ["tests that are not run", { ...rehearsal, runTests: false, tests: [{ path: "test_x.py", content: "" }] }, "tests"],
    [
      "tests that differ in case from the files",
      { ...rehearsal, files: [{ path: "Test_x.py", content: "" }], tests: [{ path: "test_x.py", content: "" }] },
      "tests",
    ],
    [
      "an upload of tests that is not there",
      { ...rehearsal, uploads: { tests: "01M7YVNZYAJ2Z5GBS6FBWX9QJ3" } },
      "uploads.tests",
    ],
    ["an upload by path", { ...rehearsal, uploads: { files: "../../registry.sqlite" } }, "uploads.files"],
    ["a prompt pack without a file of one", { ...rehearsal, prompts: { "x.md": "y" } }, "prompts"],
  ])("%s", async (_, body, field) => {
    const before = (await server.ask("/runs")).json.runs.length;
    const answer = await server.post("/runs", body);
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toContain(field);
    expect((await server.ask("/runs")).json.runs.length).toBe(before);
  });

  it("a task above half the context window, saying which", async () => {
    const answer = await server.post("/runs", { ...rehearsal, task: "word ".repeat(2_000), contextWindow: 2_048 });
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual(["task"]);
    expect(answer.json.detail).toContain("2048 tokens of rehearsal's context window");
  });

  it("an idempotency key that is none", async () => {
    const answer = await server.post("/runs", rehearsal, { "idempotency-key": "x".repeat(201) });
    expect(fieldsOf(answer)).toEqual(["idempotency-key"]);
  });
});

describe("other bad requests", () => {
  it("malformed JSON: 400; another type: 415; 11 MB: 413", async () => {
    expect((await server.post("/runs", '{"task": "x"')).status).toBe(400);
    const notText = { method: "POST", headers: json, body: new Uint8Array([0x22, 0xff, 0x22]) };
    expect((await server.ask("/runs", notText)).status).toBe(400);
    expect((await server.post("/runs", rehearsal, { "content-type": "text/plain" })).status).toBe(415);
    const large = await server.post("/runs", { ...rehearsal, task: "x".repeat(11_000_000) });
    expect(large.status).toBe(413);
    expect(large.json.detail).toContain("/uploads");
  });

  it("no key for the model: 409 with the command", async () => {
    const answer = await server.post("/runs", { task: "x", model: "gpt-4o" });
    expect(answer).toMatchObject({ status: 409, json: { title: "model key not set" } });
    expect(answer.json.next.note).toContain("OPENAI_API_KEY");
  });

  it("a run that began for nothing is not gone on with where it is charged: 409", async () => {
    const own = await aServer({ model: { apiKey: "x", baseUrl: "https://models.example/v1" } });
    const began = aRun({ id: "01M7YVNZYAJ2Z5GBS6FBWX9QJ3", status: "failed" });
    await own.machine.registry.create({ ...began, options: { ...began.options, baseUrl: "http://127.0.0.1:8080/v1" } });
    const resumed = await own.post(`/runs/${began.id}/resume`, {});
    await own.remove();
    expect(resumed.status).toBe(409);
    expect(resumed.json.detail).toContain("models.example is not");
  });

  it("unknown runs and paths: 404; other methods: 405", async () => {
    expect((await server.ask("/runs/01M7YVNZYAJ2Z5GBS6FBWX9QJ3")).status).toBe(404);
    expect((await server.ask("/runs/%2e%2e%2fx")).status).toBe(404);
    expect((await server.ask("/runs/%E0")).status).toBe(404);
    expect((await server.ask("/nothing")).status).toBe(404);
    expect((await server.post(`/runs/${id}/promote`, {})).status).toBe(404);
    const deleted = await server.ask(`/runs/${id}`, { method: "PATCH", headers: json });
    expect(deleted.status).toBe(405);
    expect(deleted.headers.get("allow")).toBe("GET, DELETE");
  });

  it.each([
    ["/runs?cursor=x", "cursor"],
    ["/runs?cursor=WyJhIl0", "cursor"],
    ["/runs?limit=0", "limit"],
    ["/runs?limit=1e1", "limit"],
    ["/runs?status=done", "status"],
    ["/runs?colour=red", "colour"],
    ["/runs?q=a&q=b", "q"],
    ["/runs/:id/events?wait=21", "wait"],
    ["/runs/:id/events?after=-1", "after"],
    ["/runs/:id/files?at=x", "at"],
    ["/runs/:id/files?at=1.1@17", "at"],
    ["/runs/:id/turns?after=1.1@99", "after"],
    ["/runs/:id/files?cursor=WzFd", "cursor"],
    [`/runs/:id/files?prefix=${"ß".repeat(400)}`, "prefix"],
    ["/runs/:id/file", "path"],
    ["/runs/:id/file?path=../registry.sqlite", "path"],
    ["/runs/:id/file?path=%2fetc%2fpasswd", "path"],
    ["/runs/:id/file?path=a%00b", "path"],
    ["/runs/:id/file?path=package.json&at=1.", "at"],
  ])("%s: 400, %s", async (path, field) => {
    const answer = await server.ask(path.replace(":id", id));
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toContain(field);
  });

  it("no answer ever shows where in the code something happened", async () => {
    await server.post("/runs", '{"task":');
    expect(server.said.filter((line) => line.includes("failed"))).toEqual([]);
  });
});

describe("requests that a foreign page sends", () => {
  const page = (origin: string, site: string) => ({ ...json, origin, "sec-fetch-site": site });
  const post = (headers: Record<string, string>, body: unknown = rehearsal) => raw(server.url, { headers, body });

  it("under another name of this computer are refused", async () => {
    expect(await post({ ...json, host: "evil.example" })).toBe(403);
    expect(await post({ ...json, host: `127.0.0.1.evil.example:${new URL(server.url).port}` })).toBe(403);
    expect(await post({ ...json, host: "127.0.0.1" })).toBe(403);
    expect(await post({ ...json, host: "no such/host" })).toBe(400);
  });

  it("from another origin are refused, with whatever type and token", async () => {
    expect(await post(page("https://evil.example", "cross-site"))).toBe(403);
    expect(await post({ ...json, origin: "null" })).toBe(403);
    expect(await post({ ...json, origin: server.url.replace("http:", "https:") })).toBe(403);
    expect(await post({ ...json, "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await post({ "content-type": "text/plain", origin: "https://evil.example" })).toBe(403);
    expect((await server.ask("/runs", { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(403);
  });

  it("as forms do are refused, also from a command", async () => {
    expect((await server.post("/runs", rehearsal, { "content-type": "text/plain" })).status).toBe(415);
    expect((await server.ask(`/runs/${id}/cancel`, { method: "POST" })).status).toBe(415);
  });

  it("from our own page need the token of this start, which only our own page is given", async () => {
    const own = page(server.url, "same-origin");
    expect(await post(own)).toBe(403);
    expect(await post({ ...own, "x-l2mac-token": "guessed" })).toBe(403);
    expect((await server.ask("/token")).status).toBe(403);
    expect((await server.ask("/token", { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(403);
    const given = await server.ask("/token", { headers: { "sec-fetch-site": "same-origin" } });
    expect(await post({ ...own, "x-l2mac-token": given.json.token }, { task: 1 })).toBe(400);
  });

  it("never get permission: no answer has a CORS header", async () => {
    const options = await server.ask("/runs", { method: "OPTIONS", headers: json });
    expect(options.status).toBe(405);
    expect([...options.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

/** With headers that `fetch` would not send. */
function raw(url: string, { headers, body }: { headers: Record<string, string>; body: unknown }): Promise<number> {
  const { host, port } = new URL(url);
  const text = JSON.stringify(body);
  const lines = Object.entries({ host, connection: "close", "content-length": String(text.length), ...headers });
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1");
    let answer = "";
    socket.on("data", (data) => (answer += data));
    socket.on("end", () => resolve(Number(answer.split(" ", 2)[1])));
    socket.on("error", reject);
    // Node drops a request whose sender has closed its side before the answer.
    socket.write(`POST /runs HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${text}`);
  });
}
