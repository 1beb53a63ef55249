/** An error as each service writes it. Pure. */
import type { WireAnswer } from "../parts.ts";
import type { Problem } from "../sigv4/signature-problem.ts";
import { escaped } from "./s3-answers.ts";

export function errorAnswer(service: string, { status, code, message }: Problem, requestId: string): WireAnswer {
  if (service === "s3") return s3Error({ status, code, message }, requestId);
  const isRest = service === "lambda" || service === "execute-api";
  const type = service === "dynamodb" ? `com.amazon.coral.service#${code}` : code;
  const body = isRest ? { message } : { __type: type, message };
  return {
    status,
    headers: {
      "content-type": isRest ? "application/json" : `application/x-amz-json-1.${service === "secretsmanager" ? 1 : 0}`,
      "x-amzn-errortype": code,
      "x-amzn-requestid": requestId,
    },
    body: Buffer.from(JSON.stringify(body)),
  };
}

/** Of a request that IAM denies. */
export const denied = (service: string, message: string): Problem =>
  service === "s3"
    ? { status: 403, code: "AccessDenied", message }
    : { status: service === "lambda" || service === "execute-api" ? 403 : 400, code: "AccessDeniedException", message };

const s3Error = ({ status, code, message }: Problem, requestId: string): WireAnswer => ({
  status,
  headers: { "content-type": "application/xml", "x-amz-request-id": requestId },
  body: Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${escaped(message)}</Message><RequestId>${requestId}</RequestId></Error>`,
  ),
});
