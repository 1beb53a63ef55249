/** More runs than a server computes at once: waiting runs keep their place, and sleeping runs take none. */
import { afterEach, expect, it } from "vitest";
import { NotReady } from "../../lib/core/errors.ts";
import type { Evaluator } from "../../lib/core/ports.ts";
import { openMachine } from "../../lib/local/machine.ts";
import { alwaysGreen } from "../doubles/machines.ts";
import { aHeldEvaluator, aServer, followed, type TestServer } from "./served.ts";

let server: TestServer;
afterEach(() => server.remove());

const AT_ONCE = 3;
const submitted = async (body: object = {}): Promise<string> =>
  (await server.post("/runs", { task: "A rehearsal.", model: "rehearsal", ...body })).json.id;
const many = (count: number, body: object = {}) => Promise.all(Array.from({ length: count }, () => submitted(body)));

/** As any other command of the same home does first. */
async function sweptByAnother(): Promise<void> {
  const { home } = server.machine;
  const model = async (): Promise<never> => {
    throw new Error("It computes nothing.");
  };
  const other = openMachine({ home, model, evaluator: alwaysGreen });
  await other.sweep();
  other.close();
}

it.each([
  ["approved", { decision: "approve" }, "approve"],
  ["resumed", {}, "resume"],
])("a run that is %s twice while the queue is full is computed in its turn", async (_, body, deed) => {
  const held = aHeldEvaluator();
  server = await aServer({ evaluator: held.evaluator });
  const last = await submitted({ approve: "plan" });
  await followed(server, last);
  if (deed === "resume") {
    await server.post(`/runs/${last}/approve`, { decision: "approve" });
    await server.post(`/runs/${last}/cancel`, {});
    await followed(server, last);
  }
  await many(AT_ONCE);
  expect((await server.post(`/runs/${last}/${deed}`, body)).status).toBe(202);
  expect((await server.post(`/runs/${last}/${deed}`, body)).status).toBe(409);
  await sweptByAnother();
  expect((await server.ask(`/runs/${last}`)).json.status).toBe("running");
  held.letGo();
  await expect.poll(async () => (await server.ask(`/runs/${last}`)).json.status).toBe("completed");
});

it("a run is computed while as many as are computed at once sleep", async () => {
  let asked = 0;
  const evaluator: Evaluator = {
    async evaluate(request, signal) {
      asked += 1;
      if (asked <= AT_ONCE) throw new NotReady("starting", 3_600_000);
      return alwaysGreen.evaluate(request, signal);
    },
  };
  server = await aServer({ evaluator });
  const sleeping = await many(AT_ONCE);
  const statusOf = async (id: string) => (await server.ask(`/runs/${id}`)).json.status;
  for (const id of sleeping) await expect.poll(() => statusOf(id)).toBe("waiting");
  const next = await submitted();
  await expect.poll(() => statusOf(next)).toBe("completed");
  expect(await server.stop()).toBe(AT_ONCE);
  for (const id of sleeping) expect((await server.machine.registry.run(id))?.reason).toBe("interrupted");
});
