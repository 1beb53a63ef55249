/** Spans as tests look at them. */
import type { Registry } from "../../lib/registry/registry.ts";
import type { KeyValue, Span } from "../../packages/telemetry/otlp.ts";
import { createRunTrace } from "../../packages/telemetry/run-trace.ts";

export async function spansOf(registry: Registry, runId: string): Promise<Span[]> {
  const run = await registry.run(runId);
  if (!run) throw new Error("There is no run.");
  const trace = createRunTrace(runId);
  for (const event of await registry.events(runId, { after: 0, limit: 10_000 })) trace.read(event, run);
  return trace.take(true).map(({ span }) => span);
}

export const valuesOf = (attributes: KeyValue[]): Record<string, string | number | boolean> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => {
      if ("intValue" in value) return [key, Number(value.intValue)];
      return [key, Object.values(value)[0] as string | boolean | number];
    }),
  );

/** What is wrong with a trace that is whole: of one root, each span within what it belongs to, no id twice. */
export function flawsIn(spans: Span[]): string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const flaws = spans.flatMap(({ name, parentSpanId, startTimeUnixNano: start, endTimeUnixNano: end, traceId }) => {
    const parent = parentSpanId === undefined ? undefined : byId.get(parentSpanId);
    return [
      ...(BigInt(start) <= BigInt(end) ? [] : [`${name} ends before it begins`]),
      ...(parentSpanId !== undefined && !parent ? [`${name} belongs to no span`] : []),
      ...(parent && BigInt(end) > BigInt(parent.endTimeUnixNano) ? [`${name} ends after ${parent.name}`] : []),
      ...(traceId === spans[0]?.traceId ? [] : [`${name} is of another trace`]),
    ];
  });
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
  return [
    ...flaws,
    ...(byId.size === spans.length ? [] : ["an id is there twice"]),
    ...(roots.length === 1 ? [] : [`${roots.length} roots`]),
  ];
}

/** `invoke_workflow codebase > invoke_agent planner > turn > chat m`, once each, in order. */
export function pathsIn(spans: Span[]): string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const pathOf = ({ name, parentSpanId }: Span): string => {
    const parent = byId.get(parentSpanId ?? "");
    return parent ? `${pathOf(parent)} > ${name}` : name;
  };
  return [...new Set(spans.map(pathOf))].toSorted();
}
