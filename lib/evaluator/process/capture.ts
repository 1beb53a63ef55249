/** Keeps the head and the tail of an endless stream. */
import { leftOut } from "../../core/text/cut.ts";
import { sanitize } from "../../core/text/sanitize.ts";

export interface Capture {
  push(chunk: Buffer): void;
  text(): string;
  truncated(): boolean;
}

export function createCapture(limit: number): Capture {
  const half = Math.floor(limit / 2);
  const head: Buffer[] = [];
  let headBytes = 0;
  let tail = Buffer.alloc(0);
  let total = 0;

  const push = (chunk: Buffer): void => {
    total += chunk.length;
    const first = chunk.subarray(0, half - headBytes);
    if (first.length > 0) head.push(Buffer.from(first));
    headBytes += first.length;
    const rest = chunk.subarray(first.length);
    if (rest.length > 0) tail = Buffer.concat([tail, rest.subarray(-half)]).subarray(-half);
  };

  const missing = (): number => total - headBytes - tail.length;
  const text = (): string => {
    const parts = [...head, ...(missing() > 0 ? [] : [tail])];
    const start = decode(Buffer.concat(parts));
    return sanitize(missing() > 0 ? start + leftOut(missing(), "bytes") + decode(tail) : start);
  };
  return { push, text, truncated: () => missing() > 0 };
}

/** A cut may fall inside a character: its halves are no use to anyone. */
function decode(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  let [start, end] = [0, text.length];
  while (text[start] === "\ufffd") start += 1;
  while (end > start && text[end - 1] === "\ufffd") end -= 1;
  return text.slice(start, end);
}
