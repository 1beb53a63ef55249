/** Finds what looks like a secret in a text. Pure. */
import { SECRET_FORMATS } from "./secret-formats.ts";

export interface Secret {
  kind: string;
  start: number;
  end: number;
}

/** In order, without overlap: of two that overlap the one that begins first counts, then the longer. */
export function findSecrets(text: string): Secret[] {
  const folded = text.toLowerCase();
  const found: Secret[] = [];
  for (const { kind, marks, pattern, isSecret } of SECRET_FORMATS) {
    if (!marks.some((mark) => folded.includes(mark))) continue;
    for (const { 0: secret, 1: before = "", index } of text.matchAll(pattern))
      if (!isSecret || isSecret(secret, before)) found.push({ kind, start: index, end: index + secret.length });
  }
  found.sort((one, other) => one.start - other.start || other.end - one.end);
  let end = 0;
  return found.filter((secret) => {
    if (secret.start < end) return false;
    end = secret.end;
    return true;
  });
}
