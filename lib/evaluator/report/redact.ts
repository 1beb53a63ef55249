/** Removes from every text of a verdict what looks like a secret. Pure. */
import { maskEveryText } from "../../core/text/secrets.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";

export const REDACTED = "[redacted]";

/** Shorter ones are words. */
const KNOWN_CHARS = 12;

/** `known`: secrets that have no format, such as those of the function itself. */
export function withoutKeys(verdict: Verdict, known: string[] = []): Verdict {
  const secrets = known.filter(({ length }) => length >= KNOWN_CHARS);
  return maskEveryText(verdict, (text) => secrets.reduce((left, secret) => left.replaceAll(secret, REDACTED), text));
}
