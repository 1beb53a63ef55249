/** The key goes to the server that it was configured for: what a redirect names gets neither it nor a request. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { rehearsalProfile } from "./open-model.ts";
import { createOpenAiModel } from "./openai.ts";
import { probeServer } from "./probe/probe.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function aServer(answer: { status: number; headers: Record<string, string> }) {
  const heard: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    heard.push(request.headers.authorization);
    response.writeHead(answer.status, answer.headers).end("{}");
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { heard, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe.each([301, 302, 303, 307, 308])("a model server that redirects with %d", (status) => {
  it("sends neither the key nor a request to the other origin", async () => {
    const other = await aServer({ status: 200, headers: {} });
    const own = await aServer({ status, headers: { location: `${other.url}/v1/chat/completions` } });
    const profile = { ...rehearsalProfile(), model: "m" };
    const request = {
      messages: [{ role: "user" as const, content: "x" }],
      tools: [],
      maxOutputTokens: 9,
      timeoutMs: 9_000,
    };
    for (const fetch of [undefined, globalThis.fetch]) {
      const model = createOpenAiModel({
        profile,
        baseUrl: `${own.url}/v1`,
        apiKey: "sk-mine",
        ...(fetch ? { fetch } : {}),
      });
      await expect(model.ask(request)).rejects.toThrow();
    }
    await probeServer(`${own.url}/v1`, { model: "m", apiKey: "sk-mine" });
    expect(new Set(own.heard)).toEqual(new Set(["Bearer sk-mine"]));
    expect(own.heard.length).toBeGreaterThanOrEqual(5);
    expect(other.heard).toEqual([]);
  });
});
