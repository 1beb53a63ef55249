/** Reads the events of an AWS event stream, whose frames are binary, from a body that arrives in parts. */
import { EventStreamCodec } from "@smithy/core/event-streams";
import { createBody } from "../../core/bytes.ts";
import { parseObject } from "../loose-json.ts";
import type { EventReader, ServerEvent } from "../stream/event-reader.ts";

/** Its length, that of its headers, and three checksums. */
const LEAST_BYTES = 16;
/** More than AWS documents for one. */
const MOST_BYTES = 32 * 1024 * 1024;

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes)),
  (text) => new TextEncoder().encode(text),
);

export function createFrameReader(): EventReader {
  /** Of the frame that is not complete. */
  let open = createBody(2 * MOST_BYTES);
  let wanted = 4;
  let isDamaged = false;
  const read = (part: Uint8Array): ServerEvent[] => {
    isDamaged ||= !open.add(part);
    let bytes = open.bytes();
    if (isDamaged || bytes.length < wanted) return [];
    const found: ServerEvent[] = [];
    for (;;) {
      wanted = bytes.length < 4 ? 4 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
      isDamaged = bytes.length >= 4 && (wanted < LEAST_BYTES || wanted > MOST_BYTES);
      if (isDamaged || bytes.length < wanted) break;
      const event = eventIn(bytes.subarray(0, wanted));
      isDamaged = event === undefined;
      if (!event) break;
      found.push(event);
      bytes = bytes.subarray(wanted);
    }
    open = createBody(2 * MOST_BYTES);
    open.add(bytes);
    return found;
  };
  return { read, end: () => [] };
}

/** Undefined: its checksum is wrong. */
function eventIn(frame: Uint8Array): ServerEvent | undefined {
  try {
    const { headers, body } = codec.decode(frame);
    const data = new TextDecoder().decode(body);
    const named = (name: string): string => String(headers[name]?.value ?? "");
    if (named(":message-type") === "event") return { type: named(":event-type"), data };
    const said = parseObject(data) ?? {};
    const message = typeof said.message === "string" ? said.message : named(":error-message") || data;
    const type = named(":exception-type") || named(":error-code");
    return { type: "error", data: JSON.stringify({ error: { __type: type, message } }) };
  } catch {
    return undefined;
  }
}
