/** Every refusal of API Gateway that a REST API of functions can meet, as its documentation lists them. Pure. */

import type { Denied } from "../parts.ts";
import type { Refusal } from "./gateway-refusal.ts";

const refusal = (type: string, status: number, message: string, errorType?: string): Refusal => ({
  ...{ type, status, message },
  ...(errorType === undefined ? {} : { errorType }),
});

const INTERNAL = "Internal server error";

/** Also for a way that the API does not have. */
export const missingToken = refusal(
  ...(["MISSING_AUTHENTICATION_TOKEN", 403, "Missing Authentication Token"] as const),
  "MissingAuthenticationTokenException",
);
export const throttled = refusal("THROTTLED", 429, "Too Many Requests", "TooManyRequestsException");
export const tooLarge = refusal("REQUEST_TOO_LARGE", 413, "Request Too Long", "RequestTooLargeException");
export const timedOut = refusal("INTEGRATION_TIMEOUT", 504, "Endpoint request timed out");
/** API Gateway may not call the function. */
export const notPermitted = refusal("API_CONFIGURATION_ERROR", 500, INTERNAL, "InternalServerErrorException");
/** The function failed, or answered what is no answer. */
export const malformed = refusal("API_CONFIGURATION_ERROR", 502, INTERNAL, "InternalServerErrorException");

export const denied = ({ message }: Denied): Refusal => refusal("ACCESS_DENIED", 403, message, "AccessDeniedException");

const SIGNATURES: Record<string, string> = {
  MissingAuthenticationTokenException: "MISSING_AUTHENTICATION_TOKEN",
  IncompleteSignatureException: "INVALID_SIGNATURE",
  InvalidSignatureException: "INVALID_SIGNATURE",
  ExpiredTokenException: "EXPIRED_TOKEN",
};

export const unverified = ({ status, code, message }: { status: number; code: string; message: string }): Refusal =>
  refusal(SIGNATURES[code] ?? "ACCESS_DENIED", status, message, code);
