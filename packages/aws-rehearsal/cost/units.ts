/**
 * The units that DynamoDB bills for a request. Pure. The emulator counts them, copies in indexes included, when it is
 * asked to. Where it does not say, they are estimated: a write unit for each begun KB of an item, a read unit for each
 * begun 4 KB, half of it where a read may be late, and twice that for an item of a transaction. An item that the request
 * does not bring whole counts as what it brings, and copies in indexes count nothing: so an estimate is too low.
 */
import type { WireAnswer, WireRequest } from "../parts.ts";

export interface Units {
  read: number;
  write: number;
}

export const NO_UNITS: Units = { read: 0, write: 0 };

/** The same request, which asks for what it consumes. */
export function askingForUnits(request: WireRequest): WireRequest {
  const input = JSON.parse(request.body.toString()) as Record<string, unknown>;
  if (input.ReturnConsumedCapacity !== undefined) return request;
  const body = Buffer.from(JSON.stringify({ ...input, ReturnConsumedCapacity: "INDEXES" }));
  return { ...request, body, headers: { ...request.headers, "content-length": String(body.length) } };
}

export function unitsOf(
  operation: string,
  request: Pick<WireRequest, "body">,
  answer: Pick<WireAnswer, "body">,
): Units {
  const said = json(answer.body);
  const consumed = [said.ConsumedCapacity ?? []].flat() as ConsumedCapacity[];
  if (consumed.length > 0) {
    const isRead = READS.has(operation);
    const sum = (name: "ReadCapacityUnits" | "WriteCapacityUnits", otherwise: boolean) =>
      consumed.reduce((total, each) => total + (each[name] ?? (otherwise ? (each.CapacityUnits ?? 0) : 0)), 0);
    return { read: sum("ReadCapacityUnits", isRead), write: sum("WriteCapacityUnits", !isRead) };
  }
  return estimated(operation, json(request.body), said);
}

interface ConsumedCapacity {
  CapacityUnits?: number;
  ReadCapacityUnits?: number;
  WriteCapacityUnits?: number;
}

const READS = new Set(["GetItem", "Query", "TransactGetItems"]);
const KB = 1_024;

type Json = Record<string, unknown>;

function estimated(operation: string, input: Json, said: Json): Units {
  const once = input.ConsistentRead === true ? 1 : 0.5;
  if (operation === "GetItem") return { read: readUnits(sizeOf(said.Item)) * once, write: 0 };
  if (operation === "Query") return { read: readUnits(total((said.Items ?? []) as unknown[])) * once, write: 0 };
  const items = ((input.TransactItems ?? []) as Json[]).flatMap((item) => Object.values(item) as Json[]);
  if (operation === "TransactGetItems") return { read: items.length * 2, write: 0 };
  // A transaction that is cancelled is billed as if it were not.
  if (operation === "TransactWriteItems")
    return { read: 0, write: items.reduce((sum, item) => sum + 2 * writeUnits(item), 0) };
  return { read: 0, write: writeUnits(input) };
}

const writeUnits = ({ Item, Key, ExpressionAttributeValues }: Json): number =>
  Math.max(1, Math.ceil((sizeOf(Item ?? Key) + (Item ? 0 : sizeOf(ExpressionAttributeValues))) / KB));

/** What is not there is one unit too. */
const readUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / (4 * KB)));

const total = (items: unknown[]): number => items.reduce((sum: number, item) => sum + sizeOf(item), 0);

/** The bytes of names and values, as DynamoDB documents them for its own limit; a number counts as its digits, halved. */
export function sizeOf(item: unknown): number {
  return Object.entries((item ?? {}) as Json).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + valueSize(value as Json),
    0,
  );
}

function valueSize(value: Json): number {
  const [[type = "", held] = []] = Object.entries(value);
  if (type === "S") return Buffer.byteLength(String(held));
  if (type === "B") return Buffer.from(String(held), "base64").length;
  if (type === "N") return Math.ceil(String(held).length / 2) + 1;
  if (type === "M") return 3 + sizeOf(held) + Object.keys(held as Json).length;
  if (type === "L") return 3 + (held as Json[]).reduce((sum, each) => sum + 1 + valueSize(each), 0);
  return 1;
}

function json(body: Buffer): Json {
  try {
    return JSON.parse(body.toString()) as Json;
  } catch {
    return {};
  }
}
