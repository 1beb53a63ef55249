/** A question of a run over HTTP: shown, answered once, and what is no answer is refused with its field. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askInstead, COLOURS, OPEN_QUESTION } from "../doubles/asked-run.ts";
import { aServer, followed, type TestServer } from "./served.ts";

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.remove());

async function asking(question: Parameters<typeof askInstead>[2] = COLOURS): Promise<string> {
  const { json } = await server.post("/runs", { task: "A rehearsal.", model: "rehearsal", approve: "plan" });
  await followed(server, json.id);
  await askInstead(server.machine, json.id, question);
  return json.id;
}

const answer = (id: string, body: object) => server.post(`/runs/${id}/answers`, body);
const runOf = async (id: string) => (await server.ask(`/runs/${id}`)).json;

describe("a run that asks", () => {
  it("shows its question, with the address of the answer, and its events are over", async () => {
    const id = await asking();
    expect(await runOf(id)).toMatchObject({
      status: "waiting",
      reason: "answer",
      question: { step: 1, choices: ["Red", "Green"] },
      links: { answers: `${server.url}/runs/${id}/answers` },
    });
    const { json: program } = await server.ask(`/runs/${id}/program`);
    expect(program.instructions[0]).toMatchObject({ kind: "ask", text: COLOURS.question, choices: COLOURS.choices });
    const { json: page } = await server.ask(`/runs/${id}/events?wait=20`);
    expect(page).toMatchObject({ over: true, status: "waiting" });
    expect(page.events.map(({ type }: { type: string }) => type)).toContain("asked");
  });

  it("goes on once it is answered, and takes the same answer again without an effect", async () => {
    const id = await asking();
    expect(await answer(id, { step: 1, choice: 2 })).toMatchObject({ status: 202, json: { id, status: "running" } });
    expect((await answer(id, { step: 1, text: "Green" })).status).toBe(202);
    expect((await followed(server, id)).status).toBe("completed");
    expect((await answer(id, { step: 1, choice: 2 })).status).toBe(202);
    expect(await answer(id, { step: 1, choice: 1 })).toMatchObject({
      status: 409,
      json: { detail: expect.stringContaining("was answered already: Green"), next: { command: "status" } },
    });
    const file = await server.ask(`/runs/${id}/file?path=colour.md`);
    expect(new TextDecoder().decode(file.bytes)).toBe("Green\n");
    const { json: turn } = await server.ask(`/runs/${id}/turns/1/1`);
    expect(turn).toMatchObject({ turn: { outcome: "answer" }, effects: { saved: { text: "Green\n" } } });
  });

  it.each([
    ["nothing", {}, "text"],
    ["blank", { text: " " }, "text"],
    ["none of the choices", { text: "Blue" }, "text"],
    ["no such choice", { choice: 3 }, "choice"],
    ["half a choice", { choice: 1.5 }, "choice"],
    ["a text and a choice", { text: "Red", choice: 1 }, "choice"],
    ["for a step that does not ask", { step: 2, choice: 1 }, "step"],
  ])("waits on where the answer is %s", async (_, body, field) => {
    const id = await asking();
    const refused = await answer(id, body);
    expect(refused.status).toBe(400);
    expect(refused.json.fields.map((each: { field: string }) => each.field)).toContain(field);
    expect(await runOf(id)).toMatchObject({ status: "waiting", reason: "answer" });
  });

  it("refuses an answer beyond the limit, and a field that is none", async () => {
    const id = await asking(OPEN_QUESTION);
    const long = await answer(id, { text: "x".repeat(102_401) });
    expect(long).toMatchObject({ status: 400, json: { detail: expect.stringContaining("at most 102400 fit") } });
    expect((await answer(id, { text: "x", answer: "y" })).status).toBe(400);
    expect((await answer(id, { text: "x".repeat(102_400) })).status).toBe(202);
  });

  it("is neither resumed nor approved; the request that answers is named", async () => {
    const id = await asking();
    const next = { command: "answer", request: { method: "POST", path: `/runs/${id}/answers` } };
    expect(await server.post(`/runs/${id}/resume`, {})).toMatchObject({ status: 409, json: { next } });
    expect(await server.post(`/runs/${id}/approve`, { decision: "approve" })).toMatchObject({
      status: 409,
      json: { next },
    });
    expect(await server.post(`/runs/${id}/cancel`, {})).toMatchObject({ json: { status: "cancelled" } });
    expect(await answer(id, { choice: 1 })).toMatchObject({ status: 409, json: { next: { command: "resume" } } });
  });

  it("is hidden from answers to no run", async () => {
    expect((await answer("01ARZ3NDEKTSV4RRFFQ69G5FAV", { text: "x" })).status).toBe(404);
  });
});
