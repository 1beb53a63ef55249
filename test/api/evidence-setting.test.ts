/** Whether a run asks for evidence without saying so: as its program has something to prove. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { aServer, followed, type TestServer } from "./served.ts";

let server: TestServer;
beforeAll(async () => {
  server = await aServer({ defaults: { evidence: undefined } });
});
afterAll(() => server.remove());

it("a program asks for it only if it lists requirements, or serves some that the task lists", async () => {
  const task = "1. It works.\n2. It is fast.";
  const settingOf = async (served: string[], more: object = {}) => {
    const program = { instructions: [{ title: "One", text: "Write it.", requirements: served }], ...more };
    const { json } = await server.post("/runs", { task, program, model: "rehearsal", approve: "plan" });
    return (await server.ask(`/runs/${json.id}`)).json.options.evidence;
  };
  const listed = { requirements: [{ id: "R1", text: "It works." }] };
  const settings = await Promise.all([settingOf([]), settingOf(["R1"]), settingOf([], listed)]);
  expect(settings).toEqual([undefined, "own", "own"]);
});

it("a program without requirements cannot be made of a run that asks for it, but with the setting that the refusal names", async () => {
  const { json: run } = await server.post("/runs", { task: "A rehearsal.", model: "rehearsal" });
  await followed(server, run.id);
  const make = (more: object) =>
    server.post(`/runs/${run.id}/make`, { program: [{ title: "One", text: "Write one." }], ...more });
  const problem = {
    detail: expect.stringContaining("nothing to prove"),
    ...{ fields: [{ field: "evidence" }], next: { note: expect.stringContaining("give --evidence off") } },
  };
  expect(await make({})).toMatchObject({ status: 400, json: problem });
  const asked = { task: "Write one.", program: [{ title: "One", text: "Write one." }], model: "rehearsal" };
  expect(await server.post("/runs", { ...asked, evidence: "own" })).toMatchObject({ status: 400, json: problem });
  const { status, json } = await make({ evidence: "off" });
  expect(status).toBe(202);
  expect((await server.ask(`/runs/${json.id}`)).json.options).not.toHaveProperty("evidence");
});
