/** The channel of spans, with the header from its secret, which may be set, changed or lost after the deployment. */
import type { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { messageOf } from "../core/errors.ts";
import type { SendNotification } from "../core/notification/notification.ts";
import type { Clock } from "../core/ports.ts";
import { oneLine } from "../core/text/cut.ts";
import { secretsClient } from "./clients.ts";
import { createSecretReader } from "./secret.ts";
import type { Settings } from "./settings.ts";

type Opener = () => Promise<SendNotification | undefined>;

export interface SpanOpenerParts {
  settings: Pick<Settings, "OTEL_EXPORTER_OTLP_ENDPOINT" | "OTEL_HEADER" | "OTEL_HEADER_SECRET_ID">;
  clock: Clock;
  /** Gets the header as OTEL_EXPORTER_OTLP_HEADERS has it. */
  open: (headers: string) => Promise<SendNotification | undefined>;
  client?: SecretsManagerClient;
}

const SAID_CHARS = 400;

/** Undefined: the stack has no collector. Nothing is sent without the header that is configured. */
export function createSpanOpener({ settings, clock, open, client }: SpanOpenerParts): Opener | undefined {
  const { OTEL_HEADER: name, OTEL_HEADER_SECRET_ID: secretId } = settings;
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined;
  if (name === undefined || secretId === undefined) return () => open("");
  const reader = createSecretReader({ client: client ?? secretsClient(), secretId, clock });
  return async () => {
    try {
      const value = await reader.read();
      return value ? await open(`${name}=${encodeURIComponent(value)}`) : sendNowhere("is not set");
    } catch (error) {
      return sendNowhere(`cannot be read: ${oneLine(messageOf(error), SAID_CHARS)}`);
    }
  };
}

/** A failure, so that it is tried again. */
const sendNowhere =
  (why: string): SendNotification =>
  async () => ({ ok: false, why: `spans: the secret with the collector's header ${why}` });
