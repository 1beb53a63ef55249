/** Reads the body of a request up to its limit. */
import { MiB } from "../core/limits.ts";
import { Refused } from "./problem.ts";

export const BODY_BYTES = 3 * MiB;
/** A larger body is still read up to here, so that the sender receives the answer. */
const DRAINED_BYTES = 32 * MiB;

export async function bodyOf(request: Request, bytesAtMost = BODY_BYTES): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length <= bytesAtMost) chunks.push(chunk);
    else if (length > DRAINED_BYTES) break;
  }
  if (length <= bytesAtMost) return joined(chunks, length);
  throw new Refused(413, `A body has at most ${bytesAtMost} bytes; what is larger goes through POST /uploads.`);
}

function joined(chunks: Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
