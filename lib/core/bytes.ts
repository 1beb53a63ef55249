/** Collects bytes that come in parts. Pure. */

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const FIRST_BYTES = 16 * 1024;

/** Collects a body up to a limit, in one buffer: a chunk that is kept takes a hundred bytes, even if it holds one. */
export function createBody(limit: number) {
  let buffer = new Uint8Array(FIRST_BYTES);
  let bytes = 0;
  return {
    /** Answers false once there is more than the limit. */
    add(chunk: Uint8Array): boolean {
      if (bytes + chunk.length > limit) return false;
      if (bytes + chunk.length > buffer.length) {
        const larger = new Uint8Array(Math.max(buffer.length * 2, bytes + chunk.length));
        larger.set(buffer.subarray(0, bytes));
        buffer = larger;
      }
      buffer.set(chunk, bytes);
      bytes += chunk.length;
      return true;
    },
    bytes: (): Uint8Array => buffer.subarray(0, bytes),
    text: (): string => decoder.decode(buffer.subarray(0, bytes)),
  };
}
