/** What a server says of itself: enough to know whether a run can begin, and nothing that is secret. */
import { afterEach, expect, it } from "vitest";
import { projectVersion } from "../../lib/files/project-files.ts";
import { aServer, type TestServer } from "./served.ts";

let server: TestServer | undefined;
afterEach(() => server?.remove());

it("names its version, its model and whether the key is set, never the key", async () => {
  server = await aServer({ model: { model: "gpt-5.5", apiKey: "sk-secret" }, defaults: { budget: { usd: 3 } } });
  const { status, json } = await server.ask("/server");
  expect(status).toBe(200);
  expect(json).toMatchObject({ version: projectVersion(), model: "gpt-5.5", isReady: true, budgetUsd: 3 });
  expect(json).toMatchObject({ install: false, uploads: true, home: server.machine.home });
  expect(JSON.stringify(json)).not.toContain("sk-");
});

it("says that the key is not set, or that there is no model", async () => {
  server = await aServer({ model: { model: "gpt-5.5" } });
  expect((await server.ask("/server")).json).toMatchObject({ model: "gpt-5.5", isReady: false, models: [] });
  await server.remove();
  server = await aServer({ model: {} });
  const { json } = await server.ask("/server");
  expect(json).not.toHaveProperty("model");
  expect(json).not.toHaveProperty("isReady");
});
