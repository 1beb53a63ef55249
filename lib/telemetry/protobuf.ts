/** Writes OTLP requests as Protocol Buffers, and reads what a collector answers. Field numbers are those of opentelemetry-proto. */
import type { TraceRequest } from "./otlp.ts";

type Scalar = "string" | "hex" | "fixed64" | "varint" | "double" | "bool";
/** By the name of the field. A list is a repeated field. */
type Message = Readonly<Record<string, readonly [number: number, type: Scalar | Message]>>;

const ANY_VALUE: Message = {
  stringValue: [1, "string"],
  boolValue: [2, "bool"],
  intValue: [3, "varint"],
  doubleValue: [4, "double"],
};
const ATTRIBUTE: Message = { key: [1, "string"], value: [2, ANY_VALUE] };
const EVENT: Message = { timeUnixNano: [1, "fixed64"], name: [2, "string"], attributes: [3, ATTRIBUTE] };
const SPAN: Message = {
  traceId: [1, "hex"],
  spanId: [2, "hex"],
  parentSpanId: [4, "hex"],
  name: [5, "string"],
  kind: [6, "varint"],
  startTimeUnixNano: [7, "fixed64"],
  endTimeUnixNano: [8, "fixed64"],
  attributes: [9, ATTRIBUTE],
  events: [11, EVENT],
  links: [13, { traceId: [1, "hex"], spanId: [2, "hex"] }],
  status: [15, { message: [2, "string"], code: [3, "varint"] }],
};
const REQUEST: Message = {
  resourceSpans: [
    1,
    {
      resource: [1, { attributes: [1, ATTRIBUTE] }],
      scopeSpans: [2, { scope: [1, { name: [1, "string"], version: [2, "string"] }], spans: [2, SPAN] }],
    },
  ],
};

export const encodeRequest = (request: TraceRequest): Uint8Array<ArrayBuffer> =>
  new Uint8Array(writeMessage(REQUEST, request as unknown as Values));

type Values = Readonly<Record<string, unknown>>;

function writeMessage(message: Message, values: Values): Buffer {
  const parts: Buffer[] = [];
  for (const [name, [number, type]] of Object.entries(message)) {
    const value = values[name];
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) parts.push(...writeField(number, type, each));
  }
  return Buffer.concat(parts);
}

const WIRE = { varint: 0, eight: 1, bytes: 2 } as const;

function writeField(number: number, type: Scalar | Message, value: unknown): Buffer[] {
  const tag = (wire: number): Buffer => varint(BigInt((number << 3) | wire));
  if (type === "varint") return [tag(WIRE.varint), varint(BigInt.asUintN(64, BigInt(value as string | number)))];
  if (type === "bool") return [tag(WIRE.varint), varint(value === true ? 1n : 0n)];
  if (type === "fixed64" || type === "double") return [tag(WIRE.eight), eightBytes(type, value)];
  const bytes = typeof type === "object" ? writeMessage(type, value as Values) : bytesOf(type, value as string);
  return [tag(WIRE.bytes), varint(BigInt(bytes.length)), bytes];
}

const bytesOf = (type: string, text: string): Buffer => Buffer.from(text, type === "hex" ? "hex" : "utf8");

function eightBytes(type: "fixed64" | "double", value: unknown): Buffer {
  const bytes = Buffer.alloc(8);
  if (type === "double") bytes.writeDoubleLE(value as number);
  else bytes.writeBigUInt64LE(BigInt(value as string));
  return bytes;
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left >>= 7n) {
    if (left < 128n) return Buffer.from([...bytes, Number(left)]);
    bytes.push(Number(left & 127n) | 128);
  }
}

/** `ExportTraceServiceResponse.partial_success.rejected_spans`. What cannot be read says nothing: 0. */
export function rejectedIn(answer: Uint8Array): number {
  const partial = fieldOf(answer, 1);
  const rejected = partial instanceof Uint8Array ? fieldOf(partial, 1) : undefined;
  return typeof rejected === "number" && rejected > 0 ? rejected : 0;
}

/** The last field of this number: bytes, or a number. */
function fieldOf(bytes: Uint8Array, wanted: number): Uint8Array | number | undefined {
  let found: Uint8Array | number | undefined;
  let at = 0;
  while (at < bytes.length) {
    const tag = readVarint(bytes, at);
    if (!tag) return undefined;
    const { wire, number } = { wire: tag.value & 7, number: tag.value >>> 3 };
    const read = wire === WIRE.varint || wire === WIRE.bytes ? readVarint(bytes, tag.end) : undefined;
    const length = wire === WIRE.eight ? 8 : wire === 5 ? 4 : 0;
    if (!read && length === 0) return undefined;
    const end = read ? read.end + (wire === WIRE.bytes ? read.value : 0) : tag.end + length;
    if (end > bytes.length) return undefined;
    if (read && number === wanted) found = wire === WIRE.bytes ? bytes.subarray(read.end, end) : read.value;
    at = end;
  }
  return found;
}

function readVarint(bytes: Uint8Array, from: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let at = from; at < Math.min(bytes.length, from + 7); at += 1) {
    const byte = bytes[at] ?? 0;
    value += (byte & 127) * 128 ** (at - from);
    if (byte < 128) return { value, end: at + 1 };
  }
  return undefined;
}
