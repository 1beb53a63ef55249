/** A program that waits for a person, over HTTP: read, replaced by version, approved once, or rejected. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aServer, followed, type TestServer } from "./served.ts";

const rehearsal = { task: "A rehearsal.", model: "rehearsal", approve: "plan" };
const ONE = [{ title: "One", text: "Write one file." }];

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.remove());

async function waiting(body: object = {}): Promise<string> {
  const { status, json } = await server.post("/runs", { ...rehearsal, ...body });
  expect(status).toBe(202);
  expect((await followed(server, json.id)).status).toBe("waiting");
  return json.id;
}

const approve = (id: string, body: object = { decision: "approve" }) => server.post(`/runs/${id}/approve`, body);
const programOf = (id: string) => server.ask(`/runs/${id}/program`);
const put = (id: string, program: unknown, etag?: string | null) =>
  server.ask(`/runs/${id}/program`, {
    method: "PUT",
    headers: { "content-type": "application/json", ...(etag ? { "if-match": etag } : {}) },
    body: JSON.stringify(program),
  });

describe("a run that waits for approval", () => {
  it("says so, with the address where it is approved, and its events are over", async () => {
    const id = await waiting();
    const { json } = await server.ask(`/runs/${id}`);
    expect(json).toMatchObject({ status: "waiting", reason: "approval", options: { approve: "plan" } });
    expect(json.links.approve).toBe(`${server.url}/runs/${id}/approve`);
    expect(json).not.toHaveProperty("dueAt");
    const { json: page } = await server.ask(`/runs/${id}/events?wait=20`);
    expect(page).toMatchObject({ over: true, status: "waiting" });
    const output = await server.ask(`/runs/${id}/output`);
    expect(output).toMatchObject({ status: 409, json: { next: { note: expect.stringContaining("/approve") } } });
  });

  it("takes how many words an instruction is to write", async () => {
    const id = await waiting();
    const program = [{ ...ONE[0], words: { least: 100, most: 200 } }];
    expect((await approve(id, { decision: "approve", program })).status).toBe(202);
    expect((await programOf(id)).json.instructions[0].words).toEqual({ least: 100, most: 200 });
  });

  it("is computed to its end once it is approved, and approved once", async () => {
    const id = await waiting();
    expect(await approve(id)).toMatchObject({ status: 202, json: { id, status: "running" } });
    const again = await approve(id);
    expect(again).toMatchObject({ status: 409, json: { detail: expect.stringContaining("was approved already") } });
    expect((await followed(server, id)).status).toBe("completed");
    expect((await server.ask(`/runs/${id}`)).json).toMatchObject({ approved: true, epoch: 2 });
  });

  it("ends where it is rejected; its program stays, and it waits again where it is resumed", async () => {
    const id = await waiting();
    const before = await programOf(id);
    expect(await approve(id, { decision: "reject" })).toMatchObject({ status: 202, json: { status: "cancelled" } });
    expect((await server.ask(`/runs/${id}`)).json).toMatchObject({ reason: "rejected" });
    expect((await programOf(id)).json).toEqual(before.json);
    expect(await approve(id, { decision: "reject" })).toMatchObject({ status: 409 });
    expect(await server.post(`/runs/${id}/resume`, {})).toMatchObject({ status: 202, json: { status: "waiting" } });
    expect((await approve(id)).status).toBe(202);
    expect((await followed(server, id)).status).toBe("completed");
  });

  it("is cancelled as others are, and is not resumed", async () => {
    const id = await waiting();
    const resumed = await server.post(`/runs/${id}/resume`, {});
    expect(resumed).toMatchObject({ status: 409, json: { next: { command: "approve" } } });
    expect(await server.post(`/runs/${id}/cancel`, {})).toMatchObject({ json: { status: "cancelled" } });
  });
});

describe("its program", () => {
  it("is replaced if the request names the current version, and then runs", async () => {
    const id = await waiting();
    const first = await programOf(id);
    expect((await put(id, ONE)).status).toBe(428);
    expect((await put(id, ONE, '"00000000000000000000000000000000"')).status).toBe(412);
    const replaced = await put(id, ONE, first.headers.get("etag"));
    expect(replaced).toMatchObject({
      status: 200,
      json: { instructions: [{ number: 1, title: "One", status: "waiting" }] },
    });
    expect(replaced.headers.get("etag")).not.toBe(first.headers.get("etag"));
    expect((await put(id, ONE, first.headers.get("etag"))).status).toBe(412);
    const shown = await programOf(id);
    expect(shown.json).toEqual(replaced.json);
    expect(shown.headers.get("etag")).toBe(replaced.headers.get("etag"));
    expect((await server.ask(`/runs/${id}/requirements`)).json.requirements).toEqual(shown.json.requirements);
    expect((await server.ask(`/runs/${id}`)).json.instructions).toBe(1);
    await approve(id);
    await followed(server, id);
    expect((await programOf(id)).json.instructions).toMatchObject([{ title: "One" }]);
    expect((await put(id, ONE, replaced.headers.get("etag"))).status).toBe(409);
  });

  it("can come with the approval", async () => {
    const id = await waiting();
    expect((await approve(id, { decision: "approve", program: ONE })).status).toBe(202);
    await followed(server, id);
    expect((await programOf(id)).json.instructions).toMatchObject([{ title: "One" }]);
  });

  it.each([
    ["what is no decision", { decision: "perhaps" }, "decision"],
    ["no decision", {}, "decision"],
    ["a program without instructions", { decision: "approve", program: [] }, "program"],
    ["unknown requirements", { decision: "approve", program: [{ text: "x", requirements: ["R99"] }] }, "program"],
    ["a program that is rejected", { decision: "reject", program: ONE }, "program"],
  ])("is refused with its field where it is %s, and the run waits on", async (_, body, field) => {
    const id = await waiting();
    const refused = await approve(id, body);
    expect(refused.status).toBe(400);
    expect(refused.json.fields.map((each: { field: string }) => each.field)).toContain(field);
    expect((await server.ask(`/runs/${id}`)).json.status).toBe("waiting");
  });

  it("that is too large for one answer is answered with where it is", async () => {
    const id = await waiting();
    const program = Array.from({ length: 30 }, (_, index) => ({ title: `Part ${index}`, text: "x".repeat(50_000) }));
    const replaced = await put(id, program, (await programOf(id)).headers.get("etag"));
    expect(replaced.status).toBe(303);
    const stored = await server.ask(replaced.headers.get("location") ?? "");
    expect(JSON.parse(new TextDecoder().decode(stored.bytes)).instructions).toHaveLength(30);
  });
});
