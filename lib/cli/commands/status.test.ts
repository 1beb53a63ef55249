/** What `l2mac status` says of runs that a server holds, and has not begun with. */
import { expect, it, onTestFinished } from "vitest";
import { aBench } from "../../../test/doubles/command.ts";
import { startProgramServer } from "../../../test/servers/program-server.ts";
import { held } from "../../../test/servers/scripted-faults.ts";

it("does not say that a run is computed whose turn has not come, submitted or approved", async () => {
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
  const [third, fourth, fifth] = [held(until), held(until), held(until)];
  // The first run is planned and reflected upon; then three take all the room.
  const models = await startProgramServer({ instructions: 1, faults: { 3: third, 4: fourth, 5: fifth } });
  const bench = aBench({ OPENAI_BASE_URL: models.url, L2MAC_MODEL: "scripted" });
  const serving = bench.start(["serve", "--port", "0"]);
  onTestFinished(async () => {
    letGo();
    serving.child.kill("SIGKILL");
    await serving.ended();
    await models.close();
    bench.remove();
  });
  await serving.says("Ctrl-C stops");
  const url = await serving.answers();
  const post = async (path: string, body: object) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    expect(response.status).toBe(202);
    return ((await response.json()) as { id: string }).id;
  };
  const statusOf = async (id: string, ...from: string[]) =>
    /^status +(.*)$/m.exec((await bench.run(["status", id, ...from])).stdout)?.[1];

  const approved = await post("/runs", { task: "Write a part.", approve: "plan" });
  await expect.poll(() => statusOf(approved)).toBe("waiting (approval)");
  const computed = await post("/runs", { task: "Write a part." });
  await post("/runs", { task: "Write a part." });
  await post("/runs", { task: "Write a part." });
  await expect.poll(() => statusOf(computed)).toBe("planning, being computed");
  await post(`/runs/${approved}/approve`, { decision: "approve" });
  const queued = await post("/runs", { task: "Write a part." });
  expect(await statusOf(approved)).toBe("running, not being computed yet");
  for (const from of [[], ["--remote", url]]) {
    expect(await statusOf(queued, ...from)).toBe("queued, not being computed yet");
    expect(await statusOf(computed, ...from)).toBe("planning, being computed");
  }
});
