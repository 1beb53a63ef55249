/** The door of telemetry: where spans go, how they are sent while a run is computed, and the trace of a run as a file. */
export { createSpanExporter } from "./export-spans.ts";
export { traceRequest } from "./otlp.ts";
export { createRunTrace } from "./run-trace.ts";
export { createSpanSender } from "./send-spans.ts";
export { readResource, readTelemetry, type SpanTarget, type Telemetry } from "./settings.ts";
export { openSpanChannel } from "./span-channel.ts";
