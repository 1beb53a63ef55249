/** Finds what looks like a secret in a text. Pure. */
import { SECRET_FORMATS } from "./secret-formats.ts";

export interface Secret {
  kind: string;
  start: number;
  end: number;
}

/** In order, without overlap: of two that overlap the one that begins first counts, then the longer. */
export function findSecrets(text: string): Secret[] {
  const found = UNSEEN.test(text) ? [...matchesIn(text), ...matchesAcross(text)] : matchesIn(text);
  found.sort((one, other) => one.start - other.start || other.end - one.end);
  let end = 0;
  return found.filter((secret) => {
    if (secret.start < end) return false;
    end = secret.end;
    return true;
  });
}

/** The number of the line that a place of a text is in. */
export const lineOf = (text: string, at: number): number => text.slice(0, at).split("\n").length;

/** Characters without width, which a reader of the text would not miss. */
const UNSEEN = /\u034f|[\ufe00-\ufe0f]|[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/;

function matchesAcross(text: string): Secret[] {
  const places: number[] = [];
  let seen = "";
  for (let at = 0; at < text.length; at += 1) {
    const unit = text[at] ?? "";
    if (UNSEEN.test(unit)) continue;
    places.push(at);
    seen += unit;
  }
  const placeOf = (at: number): number => places[at] ?? text.length;
  return matchesIn(seen).map(({ kind, start, end }) => ({ kind, start: placeOf(start), end: placeOf(end - 1) + 1 }));
}

function matchesIn(text: string): Secret[] {
  const folded = text.toLowerCase();
  const found: Secret[] = [];
  for (const { kind, marks, pattern, isSecret } of SECRET_FORMATS) {
    if (!marks.some((mark) => folded.includes(mark))) continue;
    for (const { 0: secret, 1: before = "", index } of text.matchAll(pattern))
      if (!isSecret || isSecret(secret, before)) found.push({ kind, start: index, end: index + secret.length });
  }
  return found;
}
