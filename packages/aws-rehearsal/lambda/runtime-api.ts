/** Lambda's Runtime API for a function's process: next invocation, response, error. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { INVOCATION_PAYLOAD_BYTES } from "../../../lib/core/limits.ts";

export interface RuntimeApi {
  /** As AWS_LAMBDA_RUNTIME_API has it. */
  address: string;
  /** The process has asked for its first invocation, or has said why it never will. */
  ready: Promise<RuntimeReport | undefined>;
  /** One at a time. */
  invoke(invocation: RuntimeInvocation): Promise<RuntimeReport>;
  close(): Promise<void>;
}

export interface RuntimeInvocation {
  requestId: string;
  functionArn: string;
  payload: string;
  /** In milliseconds since 1970. */
  deadline: number;
  traceId: string;
  tenantId?: string | undefined;
}

/** JSON text, and whether it is the function's answer or its error. */
export interface RuntimeReport {
  failed: boolean;
  payload: string;
}

/** What Lambda takes from a function: its limit has room for a little more than that of a request. */
export const RESPONSE_BYTES = INVOCATION_PAYLOAD_BYTES + 100;

interface Talk {
  invocation: RuntimeInvocation;
  tell: (report: RuntimeReport) => void;
}

export async function openRuntimeApi(): Promise<RuntimeApi> {
  const ready = Promise.withResolvers<RuntimeReport | undefined>();
  let next = Promise.withResolvers<Talk>();
  let current: Talk | undefined;

  async function give(response: ServerResponse): Promise<void> {
    ready.resolve(undefined);
    current = await next.promise;
    next = Promise.withResolvers();
    response.writeHead(200, headersOf(current.invocation)).end(current.invocation.payload);
  }

  async function take(report: RuntimeReport, requestId: string, response: ServerResponse): Promise<void> {
    if (current?.invocation.requestId !== requestId) return refuse(response, 400, "InvalidRequestID");
    const { tell } = current;
    current = undefined;
    const isTooLarge = !report.failed && Buffer.byteLength(report.payload) > RESPONSE_BYTES;
    tell(isTooLarge ? tooLarge : report);
    if (isTooLarge) return refuse(response, 413, "RequestEntityTooLarge");
    accept(response);
  }

  const server = createServer(async (request, response) => {
    const asked = `${request.method} ${request.url}`;
    if (asked === `GET ${ROOT}/invocation/next`) return give(response);
    const payload = (await buffer(request)).toString();
    if (asked === `POST ${ROOT}/init/error`) {
      ready.resolve({ failed: true, payload });
      return accept(response);
    }
    const [, requestId, how] = TELLS.exec(asked) ?? [];
    if (requestId === undefined) return refuse(response, 404, "NotFound");
    return take({ failed: how === "error", payload }, requestId, response);
  });
  // The process keeps a connection on which it says nothing, to see when this end is gone.
  Object.assign(server, { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: ready.promise,
    invoke: (invocation) => new Promise((tell) => next.resolve({ invocation, tell })),
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const ROOT = "/2018-06-01/runtime";
const TELLS = new RegExp(`^POST ${ROOT}/invocation/([^/]+)/(response|error)$`);

const headersOf = ({ requestId, deadline, functionArn, traceId, tenantId }: RuntimeInvocation) => ({
  "Content-Type": "application/json",
  "Lambda-Runtime-Aws-Request-Id": requestId,
  "Lambda-Runtime-Deadline-Ms": String(Math.round(deadline)),
  "Lambda-Runtime-Invoked-Function-Arn": functionArn,
  "Lambda-Runtime-Trace-Id": traceId,
  ...(tenantId === undefined ? {} : { "Lambda-Runtime-Aws-Tenant-Id": tenantId }),
});

const accept = (response: ServerResponse) => void response.writeHead(202).end('{"status":"OK"}');

const refuse = (response: ServerResponse, status: number, errorType: string) =>
  void response.writeHead(status).end(JSON.stringify({ errorType }));

const tooLarge: RuntimeReport = {
  failed: true,
  payload: JSON.stringify({
    errorType: "Function.ResponseSizeTooLarge",
    errorMessage: `Response payload size exceeded maximum allowed payload size (${RESPONSE_BYTES} bytes).`,
  }),
};
