/** Reads the body of a request up to its limit. */

import { createBody } from "../core/bytes.ts";
import { MiB } from "../core/limits.ts";
import type { ApiRequest } from "./exchange.ts";
import { Refused } from "./problem.ts";

export const BODY_BYTES = 3 * MiB;
/** A larger body is still read up to here, so that the sender receives the answer. */
const DRAINED_BYTES = 32 * MiB;

export async function bodyOf(request: Pick<ApiRequest, "body">, bytesAtMost = BODY_BYTES): Promise<Uint8Array> {
  const body = createBody(bytesAtMost);
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (!body.add(chunk) && length > DRAINED_BYTES) break;
  }
  if (length <= bytesAtMost) return body.bytes();
  throw new Refused(413, `A body has at most ${bytesAtMost} bytes; what is larger goes through POST /uploads.`);
}
