/** API Gateway's own error responses, from the stack's response templates. Unknown template variables are errors. Pure. */

import { z } from "zod";
import type { Denial, WireAnswer } from "../parts.ts";

export interface Refusal {
  /** API Gateway's own type of the answer: MISSING_AUTHENTICATION_TOKEN … */
  type: string;
  status: number;
  message: string;
  /** For the header `x-amzn-ErrorType`. */
  errorType?: string;
}

const GatewayResponse = z.object({
  ResponseType: z.string(),
  StatusCode: z.string().optional(),
  ResponseParameters: z.record(z.string(), z.string()).default({}),
  ResponseTemplates: z.record(z.string(), z.string()).default({}),
});
export type GatewayResponse = z.infer<typeof GatewayResponse>;

export const readResponse = (properties: unknown): GatewayResponse => GatewayResponse.parse(properties);

const PLAIN: GatewayResponse = {
  ResponseType: "",
  ResponseParameters: {},
  ResponseTemplates: { "application/json": '{"message":$context.error.messageString}' },
};

export function refuse(responses: readonly GatewayResponse[], refusal: Refusal, requestId: string): WireAnswer {
  const { type, status, errorType } = refusal;
  const fallback = status < 500 ? "DEFAULT_4XX" : "DEFAULT_5XX";
  const ofType = (wanted: string) => responses.find(({ ResponseType }) => ResponseType === wanted);
  const chosen = ofType(type) ?? ofType(fallback) ?? PLAIN;
  const template = chosen.ResponseTemplates["application/json"];
  if (template === undefined) throw new Error(`The gateway response ${chosen.ResponseType} has no JSON template.`);
  return {
    status: Number(chosen.StatusCode ?? status),
    headers: {
      "content-type": "application/json",
      "x-amzn-requestid": requestId,
      ...(errorType === undefined ? {} : { "x-amzn-errortype": errorType }),
      ...headersOf(chosen),
    },
    body: Buffer.from(filled(template, refusal, requestId)),
  };
}

function headersOf({ ResponseParameters }: GatewayResponse): Record<string, string> {
  return Object.fromEntries(
    Object.entries(ResponseParameters).map(([name, value]) => {
      const [, header] = /^gatewayresponse\.header\.(.+)$/.exec(name) ?? [];
      const [, text] = /^'(.*)'$/.exec(value) ?? [];
      if (header === undefined || text === undefined)
        throw new Error(`The gateway response's parameter is not understood: ${name}: ${value}`);
      return [header.toLowerCase(), text];
    }),
  );
}

function filled(template: string, { type, message }: Refusal, requestId: string): string {
  const values: Record<string, string> = {
    "context.error.responseType": type,
    "context.error.message": message,
    "context.error.messageString": JSON.stringify(message),
    "context.requestId": requestId,
  };
  return template.replaceAll(/\$\{([\w.]+)\}|\$(\w+(?:\.\w+)*)/g, (_, braced?: string, bare?: string) => {
    const name = braced ?? bare ?? "";
    const value = values[name];
    if (value === undefined) throw new Error(`The template names $${name}, which API Gateway is not played with.`);
    return value;
  });
}

const refusal = (type: string, status: number, message: string, errorType?: string): Refusal => ({
  ...{ type, status, message },
  ...(errorType === undefined ? {} : { errorType }),
});

const INTERNAL = "Internal server error";

/** Also for a path that the API does not have. */
export const missingToken = refusal(
  ...(["MISSING_AUTHENTICATION_TOKEN", 403, "Missing Authentication Token"] as const),
  "MissingAuthenticationTokenException",
);
export const throttled = refusal("THROTTLED", 429, "Too Many Requests", "TooManyRequestsException");
export const tooLarge = refusal("REQUEST_TOO_LARGE", 413, "Request Too Long", "RequestTooLargeException");
export const timedOut = refusal("INTEGRATION_TIMEOUT", 504, "Endpoint request timed out");
/** API Gateway may not invoke the function. */
export const notPermitted = refusal("API_CONFIGURATION_ERROR", 500, INTERNAL, "InternalServerErrorException");
/** The function failed, or its answer is malformed. */
export const malformed = refusal("API_CONFIGURATION_ERROR", 502, INTERNAL, "InternalServerErrorException");

export const denied = ({ message }: Denial): Refusal => refusal("ACCESS_DENIED", 403, message, "AccessDeniedException");

const SIGNATURES: Record<string, string> = {
  MissingAuthenticationTokenException: "MISSING_AUTHENTICATION_TOKEN",
  IncompleteSignatureException: "INVALID_SIGNATURE",
  InvalidSignatureException: "INVALID_SIGNATURE",
  ExpiredTokenException: "EXPIRED_TOKEN",
};

export const unverified = ({ status, code, message }: { status: number; code: string; message: string }): Refusal =>
  refusal(SIGNATURES[code] ?? "ACCESS_DENIED", status, message, code);
