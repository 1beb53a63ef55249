/** Lambda's HTTP API, for synchronous invocations. IAM has already authorised the request. */

import type { Deployment, Functions, InvocationResult, Service, WireAnswer } from "../parts.ts";
import { ServiceError } from "../service-error.ts";

export function createLambdaService({ deployed, functions }: { deployed: Deployment; functions: Functions }): Service {
  return async ({ method, target, headers, body }) => {
    const [, encoded] = /^\/2015-03-31\/functions\/([^/]+)\/invocations(?:\?|$)/.exec(target) ?? [];
    const how = headers["x-amz-invocation-type"] ?? "RequestResponse";
    if (method !== "POST" || encoded === undefined || how !== "RequestResponse")
      throw new Error(`Lambda is not played for ${method} ${target} (${how}).`);
    const tenantId = headers["x-amz-tenant-id"];
    const payload = body.length === 0 ? "{}" : body.toString();
    try {
      if (!isJson(payload)) throw new ServiceError("InvalidRequestContentException", 400, NOT_JSON);
      const functionArn = arnOf(deployed, decodeURIComponent(encoded));
      return answer(await functions.invoke({ functionArn, payload, ...(tenantId === undefined ? {} : { tenantId }) }));
    } catch (error) {
      if (error instanceof ServiceError) return refusal(error);
      throw error;
    }
  };
}

const NOT_JSON = "Could not parse request body into json.";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** By its name or by its ARN. */
export function arnOf({ partition, region, account, resources }: Deployment, nameOrArn: string): string {
  const found = Object.values(resources).find(
    ({ type, ref, arn }) => type === "AWS::Lambda::Function" && (ref === nameOrArn || arn === nameOrArn),
  );
  if (found?.arn !== undefined) return found.arn;
  const isArn = nameOrArn.startsWith("arn:");
  const arn = isArn ? nameOrArn : `arn:${partition}:lambda:${region}:${account}:function:${nameOrArn}`;
  throw new ServiceError("ResourceNotFoundException", 404, `Function not found: ${arn}`);
}

const answer = ({ payload, requestId, functionError }: InvocationResult): WireAnswer => ({
  status: 200,
  headers: {
    "content-type": "application/json",
    "x-amzn-requestid": requestId,
    "x-amz-executed-version": "$LATEST",
    ...(functionError === undefined ? {} : { "x-amz-function-error": functionError }),
  },
  body: Buffer.from(payload),
});

const refusal = ({ code, status, message }: ServiceError): WireAnswer => ({
  status,
  headers: { "content-type": "application/json", "x-amzn-errortype": code },
  body: Buffer.from(JSON.stringify({ Type: status < 500 ? "User" : "Service", Message: message, message })),
});
