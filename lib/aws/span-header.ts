/** Where a stack's spans go: from the function's settings, with the header from its secret, which may be set late or changed. */
import type { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { messageOf } from "../core/errors.ts";
import type { Clock } from "../core/ports.ts";
import { oneLine } from "../core/text/cut.ts";
import { secretsClient } from "./clients.ts";
import { createSecretReader } from "./secret.ts";
import type { Settings } from "./settings.ts";

export interface SpanHeaderParts {
  settings: Pick<Settings, "OTEL_HEADER" | "OTEL_HEADER_SECRET_ID">;
  clock: Clock;
  client?: SecretsManagerClient;
}

export type SpanHeader = { headers: string } | { unreadable: string };

const SAID_CHARS = 400;

/** As OTEL_EXPORTER_OTLP_HEADERS has it. Nothing is sent without the header that is configured. */
export function createSpanHeaderReader({ settings, clock, client }: SpanHeaderParts): () => Promise<SpanHeader> {
  const { OTEL_HEADER: name, OTEL_HEADER_SECRET_ID: secretId } = settings;
  if (name === undefined || secretId === undefined) return async () => ({ headers: "" });
  const reader = createSecretReader({ client: client ?? secretsClient(), secretId, clock });
  return async () => {
    try {
      const value = await reader.read();
      if (!value) return { unreadable: "the secret with the collector's header is not set" };
      return { headers: `${name}=${encodeURIComponent(value)}` };
    } catch (error) {
      const why = oneLine(messageOf(error), SAID_CHARS);
      return { unreadable: `the secret with the collector's header cannot be read: ${why}` };
    }
  };
}
