import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { callUnsigned } from "./api-auth-check.ts";

it("sends no credentials, follows no redirect, and reports an unreachable API as undefined", async () => {
  const asked: unknown[] = [];
  const server = createServer((request, response) => {
    asked.push([request.method, request.url, request.headers.authorization]);
    response.writeHead(403, { "content-type": "application/problem+json" }).end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await callUnsigned(`${url}/v1/`)).toEqual({ status: 403, type: "application/problem+json", body: "{}" });
  expect(asked).toEqual([["GET", "/v1/runs", undefined]]);
  server.close();
  server.closeAllConnections();
  await once(server, "close");
  expect(await callUnsigned(url)).toBeUndefined();
});
