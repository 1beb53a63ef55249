/** Spans as a channel of the notifier: what has ended of a run is sent when it ends, waits for a person or nears a ceiling. */
import type { SendNotification } from "../../lib/core/notification/notification.ts";
import { createSpanExporter, type SpanSource } from "./export-spans.ts";
import { createSpanSender } from "./send-spans.ts";
import { readTelemetry, type Telemetry } from "./settings.ts";

/** It notes in the registry how far it came, so that a try which comes late sends the rest. */
const createSpanChannel =
  (source: SpanSource, telemetry: Telemetry): SendNotification =>
  async ({ run: { id } }, signal) => {
    if ("refused" in telemetry) return { ok: false, why: telemetry.refused };
    const exporter = createSpanExporter({ source, send: createSpanSender({ target: telemetry }) });
    const { done, why } = await exporter.export(id, signal);
    return done && why === undefined ? { ok: true } : { ok: false, why: `spans: ${why ?? "not all were sent"}` };
  };

/** By the variables of a function; the header is not among them, since it is a secret. */
export function openSpanChannel(
  source: SpanSource,
  env: Readonly<Record<string, string | undefined>>,
  headers: string,
): SendNotification | undefined {
  const telemetry = readTelemetry({ ...env, OTEL_EXPORTER_OTLP_HEADERS: headers });
  return telemetry && createSpanChannel(source, telemetry);
}
