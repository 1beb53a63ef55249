/** A request as an emulator gets it: from one caller, whoever asked; who that was has been decided before. Pure. */

import type { WireRequest } from "../parts.ts";
import { partsOf } from "../sigv4/canonical-request.ts";

export function forEmulator(service: string, request: WireRequest): WireRequest {
  const { authorization: _, "x-amz-security-token": __, ...headers } = request.headers;
  // The emulators ask for a signature's form, and none looks at what it says.
  const credential = `outside/20260101/us-east-1/${service}/aws4_request`;
  const signature = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host;x-amz-date, Signature=${"0".repeat(64)}`;
  return {
    ...request,
    target: withoutSignature(request.target),
    headers: { "x-amz-date": "20260101T000000Z", ...headers, authorization: signature },
  };
}

/** Of a presigned URL: an emulator would look at its time with a clock of its own. */
function withoutSignature(target: string): string {
  const { path, query } = partsOf(target);
  if (!query.some(([name]) => name === "X-Amz-Signature")) return target;
  const kept = query.filter(([name]) => !name.startsWith("X-Amz-"));
  const written = kept.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return written.length > 0 ? `${path}?${written.join("&")}` : path;
}
