/** Removes from every text of a verdict what looks like a secret. Pure. */
import { maskEveryText } from "../../core/text/secrets.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";

export const REDACTED = "[redacted]";

/** Shorter ones are words. */
const KNOWN_CHARS = 12;

/** `known`: secrets that have no format, such as those of the function itself. */
export function withoutKeys(verdict: Verdict, known: string[] = []): Verdict {
  const secrets = known.filter(({ length }) => length >= KNOWN_CHARS);
  const kept = verdict.command?.kept;
  const masked = maskEveryText(verdict, (text) =>
    secrets.reduce((left, secret) => left.replaceAll(secret, REDACTED), text),
  );
  if (!kept || !masked.command) return masked;
  // A file is itself or not there: base64 must not be taken for a secret.
  const files = kept.files.filter(({ base64 }) => !secrets.some((secret) => atob(base64).includes(secret)));
  return { ...masked, command: { ...masked.command, kept: { ...kept, files } } };
}
