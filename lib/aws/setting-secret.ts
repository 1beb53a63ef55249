/** A secret that a setting names, opened when it is first needed: most functions of the stack read none. */
import type { Clock } from "../core/ports.ts";
import { secretsClient } from "./clients.ts";
import { createSecretReader } from "./secret.ts";
import { needed, type Settings } from "./settings.ts";

export function createSettingReader(
  settings: Settings,
  of: "SECRET_ID" | "GIT_TOKEN_SECRET_ID",
  clock: Clock,
): () => Promise<string | undefined> {
  let reader: ReturnType<typeof createSecretReader> | undefined;
  return () => {
    const secretId = needed(settings, of);
    reader ??= createSecretReader({ client: secretsClient(), secretId, clock });
    return reader.read();
  };
}
