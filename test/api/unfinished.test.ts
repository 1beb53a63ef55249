/** What a caller needs of a run that has not ended, and what a submission says of seeds, packages and prices. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unpackTree } from "../../lib/pack/pack.ts";
import { aHeldEvaluator, aServer, followed, type TestServer } from "./served.ts";

let server: TestServer;
let held: ReturnType<typeof aHeldEvaluator>;
let id: string;
beforeAll(async () => {
  held = aHeldEvaluator();
  server = await aServer({ evaluator: held.evaluator, install: true });
  id = (await server.post("/runs", { task: "Keep a tally", model: "rehearsal" })).json.id;
});
afterAll(() => server.remove());

/** The events after one, with the answer's other fields. */
const eventsAfter = async (after: number) => (await server.ask(`/runs/${id}/events?after=${after}&wait=20`)).json;

describe("a run that is computed", () => {
  it("says with its events whether they are the last", async () => {
    const first = await eventsAfter(0);
    expect(first).toMatchObject({ over: false });
    held.letGo();
    await followed(server, id);
    const last = await eventsAfter(0);
    expect(last).toMatchObject({ over: true, status: "completed" });
    expect(await eventsAfter(last.next)).toEqual({ events: [], next: last.next, status: "completed", over: true });
  });

  it("gives its files as an instruction left them, as a zip", async () => {
    for (const at of ["0", "2"]) {
      const { json } = await server.ask(`/runs/${id}/output?at=${at}`);
      const zip = new Uint8Array(await (await fetch(json.url)).arrayBuffer());
      const { json: listed } = await server.ask(`/runs/${id}/files?limit=1000&at=${at}`);
      expect([...unpackTree(zip).keys()]).toEqual(listed.files.map(({ path }: { path: string }) => path).toSorted());
    }
    const { status, json } = await server.ask(`/runs/${id}/output?at=900`);
    expect({ status, detail: json.detail }).toEqual({
      status: 404,
      detail: expect.stringContaining("Instruction 900 is not accepted"),
    });
    expect((await server.ask(`/runs/${id}/output?at=1.1`)).json.fields).toMatchObject([{ field: "at" }]);
  });
});

describe("a submission", () => {
  it("says with which seed, what happens to stuck instructions, and whether packages are installed, as far as the server installs any", async () => {
    const optionsOf = async (body: object) => {
      const submitted = await server.post("/runs", { task: "Keep a tally", model: "rehearsal", ...body });
      const { options } = (await server.ask(`/runs/${submitted.json.id}`)).json;
      await server.post(`/runs/${submitted.json.id}/cancel`, {});
      return options;
    };
    expect(await optionsOf({ seed: 7, install: false, onTrap: "skip" })).toMatchObject({
      seed: 7,
      install: false,
      onTrap: "skip",
    });
    const silent = await optionsOf({});
    expect(silent).toMatchObject({ install: true });
    expect(silent).not.toHaveProperty("seed");
    expect(await optionsOf({ memo: false }), "an option of an earlier version").toEqual(silent);
  });

  it("installs nothing where the server does not", async () => {
    const strict = await aServer({ install: false });
    const { json } = await strict.post("/runs", { task: "Keep a tally", model: "rehearsal", install: true });
    expect((await strict.ask(`/runs/${json.id}`)).json.options).toMatchObject({ install: false });
    await strict.remove();
  });

  it("may accept that what its model costs is unknown", async () => {
    const priced = await aServer({ model: { apiKey: "sk-x" } });
    const body = { task: "Keep a tally", model: "somebody-elses", contextWindow: 32_000 };
    const refused = await priced.post("/runs", body);
    expect(refused).toMatchObject({ status: 400, json: { fields: [{ field: "model" }] } });
    const { json } = await priced.post("/runs", { ...body, unpriced: true });
    const run = (await priced.ask(`/runs/${json.id}`)).json;
    expect(run.profile.price ?? null).toBeNull();
    expect(run.options.budget.usd).toBeUndefined();
    await priced.remove();
  });
});
