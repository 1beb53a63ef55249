/** Called with the SDK client of the deployed adapters. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { InvokeCommand } from "@aws-sdk/client-lambda";
import { afterEach, describe, expect, it } from "vitest";
import { lambdaClient } from "../../../lib/aws/clients.ts";
import { aDeployment, aFunction, anIam, arnOfFunction } from "../cloudformation/small-deployment.ts";
import type { Functions, Invocation } from "../parts.ts";
import { ServiceError } from "../service-error.ts";
import { createLambdaService } from "./lambda-service.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function aClient(invoke: Functions["invoke"]) {
  const service = createLambdaService({
    deployed: aDeployment([aFunction("It", "/nowhere")]),
    functions: { invoke, stop: async () => {} },
  });
  const server = createServer(async (request, response) => {
    const { method = "", url = "" } = request;
    const headers = request.headers as Record<string, string>;
    const asked = { method, target: url, headers, body: await buffer(request) };
    const answer = await service(asked, anIam().user("ada", []));
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return lambdaClient({ endpoint, region: "us-east-1", credentials: { accessKeyId: "a", secretAccessKey: "b" } });
}

const answering =
  (seen: Invocation[], functionError?: "Unhandled"): Functions["invoke"] =>
  async (invocation) => {
    seen.push(invocation);
    return { payload: '{"said":1}', requestId: "request-1", millis: 1, ...(functionError && { functionError }) };
  };

describe("Lambda on the wire", () => {
  it.each(["It", arnOfFunction("It")])("invokes a function by its name and by its ARN: %s", async (FunctionName) => {
    const seen: Invocation[] = [];
    const client = await aClient(answering(seen));
    const answer = await client.send(new InvokeCommand({ FunctionName, Payload: '{"a":1}', TenantId: "run" }));
    expect(seen).toEqual([{ functionArn: arnOfFunction("It"), payload: '{"a":1}', tenantId: "run" }]);
    expect(answer).toMatchObject({ StatusCode: 200, $metadata: { requestId: "request-1" } });
    expect(answer.FunctionError).toBeUndefined();
    expect(answer.Payload?.transformToString()).toBe('{"said":1}');
  });

  it("says beside the answer that it is an error", async () => {
    const client = await aClient(answering([], "Unhandled"));
    expect((await client.send(new InvokeCommand({ FunctionName: "It" }))).FunctionError).toBe("Unhandled");
  });

  it("does not find a function that the template does not have", async () => {
    const client = await aClient(answering([]));
    await expect(client.send(new InvokeCommand({ FunctionName: "Other" }))).rejects.toMatchObject({
      name: "ResourceNotFoundException",
      message: `Function not found: ${arnOfFunction("Other")}`,
      $metadata: { httpStatusCode: 404 },
    });
  });

  it("passes on what Lambda refuses", async () => {
    const client = await aClient(() =>
      Promise.reject(new ServiceError("TooManyRequestsException", 429, "Rate Exceeded.")),
    );
    await expect(client.send(new InvokeCommand({ FunctionName: "It" }))).rejects.toMatchObject({
      name: "TooManyRequestsException",
      $metadata: { httpStatusCode: 429 },
    });
  });
});
