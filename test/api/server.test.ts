/** What a server says of itself: enough to know whether a run can begin, and nothing that is secret. */
import { afterEach, expect, it } from "vitest";
import { projectVersion } from "../../lib/files/project-files.ts";
import { createKmsDouble, openKmsSigner } from "../doubles/kms-signer.ts";
import { awsError } from "../doubles/scripted-client.ts";
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

it("shows the public key of its signatures", async () => {
  const signer = openKmsSigner();
  server = await aServer({ signer });
  const { keyid, pem } = await signer.publicKey();
  expect(await server.ask("/signing-key")).toMatchObject({ status: 200, json: { keyid, publicKey: pem } });
});

it("says that it signs nothing, or why its key cannot be read, without an ARN", async () => {
  server = await aServer();
  expect((await server.ask("/signing-key")).status).toBe(404);
  await server.remove();
  server = await aServer({ signer: createKmsDouble({ troubles: [awsError("DisabledException", { status: 400 })] }) });
  const { status, json } = await server.ask("/signing-key");
  expect(status).toBe(502);
  expect(json.detail).toContain("is disabled (kms:GetPublicKey: DisabledException)");
  expect(json.next).toMatchObject({ note: "Enable the key in AWS KMS." });
  expect(JSON.stringify(json)).not.toContain("arn:");
});
