/** The lines of Git's protocol: four hexadecimal digits of length, then the content. Pure. */
import { GitError } from "../../lib/core/git/servers.ts";

export const FLUSH = "0000";
export const DELIMITER = "0001";

export type Packet = Uint8Array | typeof FLUSH | typeof DELIMITER;

/** A line of text, as a request has it. */
export const line = (text: string): Uint8Array => {
  const content = new TextEncoder().encode(text);
  const length = new TextEncoder().encode((content.length + 4).toString(16).padStart(4, "0"));
  return Buffer.concat([length, content]);
};

export const request = (...parts: (string | Uint8Array)[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));

/** Every packet of an answer. */
export function packetsIn(answer: Uint8Array): Packet[] {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  const packets: Packet[] = [];
  for (let at = 0; at < bytes.length; ) {
    const digits = bytes.toString("latin1", at, at + 4);
    if (!/^[0-9a-f]{4}$/i.test(digits)) throw broken();
    const length = Number.parseInt(digits, 16);
    if (length <= 2) {
      packets.push(length === 1 ? DELIMITER : FLUSH);
      at += 4;
      continue;
    }
    if (length < 4 || at + length > bytes.length) throw broken();
    packets.push(bytes.subarray(at + 4, at + length));
    at += length;
  }
  return packets;
}

/** The server answered something else, or not all of it. */
const broken = (): GitError => new GitError("its answer is not one of a Git server, or was cut off", "temporary");

export const textOf = (packet: Packet): string =>
  typeof packet === "string" ? "" : Buffer.from(packet).toString("utf8").replace(/\n$/, "");

export interface Bands {
  data: Buffer;
  /** What the server says beside it: of hooks, and of its progress. */
  words: string;
}

/** Takes the channels of an answer apart: 1 is data, 2 is words, 3 ends it with an error. */
export function bandsOf(packets: readonly Packet[]): Bands {
  const data: Uint8Array[] = [];
  let words = "";
  for (const packet of packets) {
    if (typeof packet === "string") continue;
    const content = packet.subarray(1);
    if (packet[0] === 1) data.push(content);
    else if (packet[0] === 2) words += Buffer.from(content).toString("utf8");
    else if (packet[0] === 3) throw new GitError(textOf(content), "refused");
    else throw broken();
  }
  return { data: Buffer.concat(data), words };
}
