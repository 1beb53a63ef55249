/** Whether a run asks for evidence without saying so: as its program has something to prove. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { aServer, type TestServer } from "./served.ts";

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
