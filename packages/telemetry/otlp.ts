/** Spans in the JSON form of OTLP, as opentelemetry-proto defines it: 64-bit numbers are texts, ids are hexadecimal. */
import { createHash } from "node:crypto";

export type AttributeValue = string | number | boolean | undefined;
export type Attributes = Readonly<Record<string, AttributeValue>>;

type AnyValue = { stringValue: string } | { boolValue: boolean } | { intValue: string } | { doubleValue: number };
export interface KeyValue {
  key: string;
  value: AnyValue;
}

export interface SpanEvent {
  timeUnixNano: string;
  name: string;
  attributes: KeyValue[];
}

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: (typeof SPAN_KIND)[keyof typeof SPAN_KIND];
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: KeyValue[];
  events?: SpanEvent[];
  links?: { traceId: string; spanId: string }[];
  status?: { code: typeof STATUS_ERROR; message?: string };
}

export const SPAN_KIND = { internal: 1, client: 3 } as const;
export const STATUS_ERROR = 2;

export interface TraceRequest {
  resourceSpans: {
    resource: { attributes: KeyValue[] };
    scopeSpans: { scope: { name: string; version?: string }; spans: Span[] }[];
  }[];
}

/** What the spans are of: the service, and what the user says of it. */
export interface SpanResource {
  attributes: Attributes;
  version?: string | undefined;
}

export const traceRequest = ({ attributes, version }: SpanResource, spans: Span[]): TraceRequest => ({
  resourceSpans: [
    {
      resource: { attributes: keyValues(attributes) },
      scopeSpans: [{ scope: { name: "l2mac", ...(version === undefined ? {} : { version }) }, spans }],
    },
  ],
});

/** Whole numbers are integers; a cost is not, even where it is a whole number of dollars. */
export const keyValues = (attributes: Attributes): KeyValue[] =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value, key.endsWith(".usd")) }],
  );

function anyValue(value: string | number | boolean, isDouble: boolean): AnyValue {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isSafeInteger(value) && !isDouble ? { intValue: String(value) } : { doubleValue: value };
}

/** Of milliseconds since 1970. */
export const unixNano = (milliseconds: number): string =>
  String(BigInt(Math.max(0, Math.round(milliseconds) || 0)) * 1_000_000n);

/** A span is named by the event that opened it: events never change, so it has the same id however often it is sent. */
export const spanIdOf = (runId: string, kind: "run" | "step" | "turn" | "call", seq: number): string =>
  hashOf(`span ${runId} ${kind} ${seq}`).slice(0, 16);

export const traceIdOf = (runId: string): string => hashOf(`trace ${runId}`).slice(0, 32);

const hashOf = (text: string): string => createHash("sha256").update(`l2mac ${text}`).digest("hex");
