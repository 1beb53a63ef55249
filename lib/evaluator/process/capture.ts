/** Reads endless streams: keeps their head and tail, or hands on their lines. */
import { StringDecoder } from "node:string_decoder";
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

/** Beyond this a line is cut. */
const LINE_CHARS = 1024 * 1024;

/** Hands on each line as it comes, and keeps none. */
export function createLineReader(read: (line: string) => void): { push(chunk: Buffer): void; end(): void } {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  return {
    push: (chunk) => {
      const lines = (rest + decoder.write(chunk)).split("\n");
      rest = (lines.pop() ?? "").slice(0, LINE_CHARS);
      for (const line of lines) read(line);
    },
    end: () => {
      if (rest !== "") read(rest);
      rest = "";
    },
  };
}

/** A cut may fall inside a character: its halves are no use to anyone. */
function decode(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  let [start, end] = [0, text.length];
  while (text[start] === "\ufffd") start += 1;
  while (end > start && text[end - 1] === "\ufffd") end -= 1;
  return text.slice(start, end);
}
