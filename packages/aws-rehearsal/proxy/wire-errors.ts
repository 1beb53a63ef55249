/** An error as each service writes it. Pure. */
import type { Operation } from "../operations/operation.ts";
import type { Ask, Denial, WireAnswer } from "../parts.ts";
import type { Problem } from "../sigv4/signature-problem.ts";

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

/** What IAM has to be asked before a missing key may be called missing; undefined: the answer can stay as it is. */
export function asksBeforeNotFound({ name, asks }: Operation, { status, body }: WireAnswer): Ask[] | undefined {
  const isRead = name === "GetObject" || name === "HeadObject";
  // The answer to HEAD has no body that could say why.
  const isMissing = status === 404 && (body.length === 0 || body.includes("<Code>NoSuchKey</Code>"));
  if (!isRead || !isMissing) return undefined;
  // A read brings no prefix.
  return asks.map(({ resource }) => ({ action: "s3:ListBucket", resource: resource.slice(0, resource.indexOf("/")) }));
}

/** Of a deletion of many keys S3 tells each denial for itself, in an answer that is none. */
export const deniedDeletions = (asks: readonly Ask[], denials: readonly Denial[]): WireAnswer => {
  const errors = asks.map(({ resource }, at) => {
    const key = escaped(resource.slice(resource.indexOf("/") + 1));
    return `<Error><Key>${key}</Key><Code>AccessDenied</Code><Message>${escaped(denials[at]?.message ?? "")}</Message></Error>`;
  });
  return {
    status: 200,
    headers: { "content-type": "application/xml" },
    body: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n<DeleteResult>${errors.join("")}</DeleteResult>`),
  };
};

export const escaped = (text: string): string =>
  text.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
