/** Reads the body of a request up to a limit. */
import type { IncomingMessage } from "node:http";

/** Undefined: it is larger, and what is left of it is thrown away. */
export async function readBody(request: IncomingMessage, most: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes <= most) parts.push(part);
  }
  return bytes <= most ? Buffer.concat(parts) : undefined;
}
