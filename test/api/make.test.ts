/** A run made of another one, over HTTP: its plan, its run, and what is refused. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aServer, followed, type TestServer } from "./served.ts";

const rehearsal = { task: "A rehearsal.", model: "rehearsal" };

let server: TestServer;
let done: string;
beforeAll(async () => {
  server = await aServer();
  done = (await server.post("/runs", rehearsal)).json.id;
  expect((await followed(server, done)).status).toBe("completed");
});
afterAll(() => server.remove());

const make = (id: string, body: object, headers: Record<string, string> = {}) =>
  server.post(`/runs/${id}/make`, body, headers);

describe("POST /runs/{id}/make", () => {
  it("with dryRun answers the plan, and creates nothing", async () => {
    const { status, json } = await make(done, { dryRun: true });
    expect(status).toBe(200);
    expect(new Set(json.plan.steps.map(({ decision }: { decision: string }) => decision))).toEqual(new Set(["copy"]));
    expect(json.plan.price).toMatchObject({ execute: { steps: 0 }, check: { steps: 0 } });
    expect((await server.ask("/runs")).json.runs).toHaveLength(1);
  });

  it("submits one run for one idempotency key, which pays for nothing that is unchanged", async () => {
    const key = { "idempotency-key": "make-once" };
    const { status, json } = await make(done, { name: "again" }, key);
    expect(status).toBe(202);
    expect((await make(done, { name: "again" }, key)).json.id).toBe(json.id);
    expect((await make(done, { name: "other" }, key)).status).toBe(422);
    await followed(server, json.id);
    const { json: run } = await server.ask(`/runs/${json.id}`);
    expect(run).toMatchObject({ status: "completed", calls: 0, turns: 0, make: { from: done } });
    const { json: program } = await server.ask(`/runs/${json.id}/program`);
    expect(program.instructions[0]).toMatchObject({ status: "accepted", turns: 0, inherited: { run: done } });
    expect(program.instructions[0]).not.toHaveProperty("step");
  });

  it("names the field that is wrong, and refuses runs without accepted steps", async () => {
    expect(await make(done, { task: " " })).toMatchObject({ status: 400, json: { fields: [{ field: "task" }] } });
    expect(await make(done, { program: [] })).toMatchObject({ status: 400, json: { fields: [{ field: "program" }] } });
    const unknown = [{ title: "One", text: "Write one.", requirements: ["R99"] }];
    expect(await make(done, { program: unknown })).toMatchObject({
      status: 400,
      json: { fields: [{ field: "program" }] },
    });
    const { json } = await server.post("/runs", { ...rehearsal, approve: "plan" });
    await followed(server, json.id);
    expect(await make(json.id, {})).toMatchObject({
      status: 409,
      json: { detail: expect.stringContaining("no accepted step") },
    });
  });
});
