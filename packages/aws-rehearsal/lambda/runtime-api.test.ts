import { afterEach, describe, expect, it } from "vitest";
import { openRuntimeApi, type RuntimeApi } from "./runtime-api.ts";

const open: RuntimeApi[] = [];
afterEach(async () => {
  for (const api of open.splice(0)) await api.close();
});

async function anApi() {
  const api = await openRuntimeApi();
  open.push(api);
  const at = (path: string) => `http://${api.address}/2018-06-01/runtime/${path}`;
  return {
    api,
    next: () => fetch(at("invocation/next")),
    post: async (path: string, body: string) => (await fetch(at(path), { method: "POST", body })).status,
  };
}

const invocation = {
  requestId: "r-1",
  functionArn: "arn:it",
  payload: '{"a":"長"}',
  deadline: 12.6,
  traceId: "Root=1",
};

describe("the Runtime API", () => {
  it("hands out an invocation with its headers, and takes the answer", async () => {
    const { api, next, post } = await anApi();
    const answer = api.invoke({ ...invocation, tenantId: "run" });
    const response = await next();
    expect(await api.ready).toBeUndefined();
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "lambda-runtime-aws-request-id": "r-1",
      "lambda-runtime-deadline-ms": "13",
      "lambda-runtime-invoked-function-arn": "arn:it",
      "lambda-runtime-trace-id": "Root=1",
      "lambda-runtime-aws-tenant-id": "run",
    });
    expect(await response.json()).toEqual({ a: "長" });
    expect(await post("invocation/r-1/response", '{"b":2}')).toBe(202);
    expect(await answer).toEqual({ failed: false, payload: '{"b":2}' });
  });

  it("lets the process wait for an invocation that comes later", async () => {
    const { api, next, post } = await anApi();
    const waiting = next();
    await api.ready;
    const answer = api.invoke(invocation);
    expect((await waiting).headers.has("lambda-runtime-aws-tenant-id")).toBe(false);
    await post("invocation/r-1/error", '{"errorType":"E"}');
    expect(await answer).toEqual({ failed: true, payload: '{"errorType":"E"}' });
  });

  it("takes one answer for an invocation, and none for another one", async () => {
    const { api, next, post } = await anApi();
    const answer = api.invoke(invocation);
    await next();
    expect(await post("invocation/r-2/response", "1")).toBe(400);
    expect(await post("invocation/r-1/response", "2")).toBe(202);
    expect(await post("invocation/r-1/response", "3")).toBe(400);
    expect((await answer).payload).toBe("2");
  });

  it("hears why a process never begins", async () => {
    const { api, post } = await anApi();
    expect(await post("init/error", '{"errorType":"Runtime.ImportModuleError"}')).toBe(202);
    expect(await api.ready).toEqual({ failed: true, payload: '{"errorType":"Runtime.ImportModuleError"}' });
  });

  it("knows no other way", async () => {
    expect(await (await anApi()).post("restore/next", "")).toBe(404);
  });
});
