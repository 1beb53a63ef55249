/** Masks what looks like a secret in a text that is shown, sent or logged. Pure: the same text gives the same masks. */
import { findSecrets, type Secret } from "./find-secrets.ts";

/** `[secret: github token]`; further ones of a kind in the same text are numbered: `[secret: github token 2]`. */
const MASK = /\[secret: [a-zA-Z][a-zA-Z ]{0,30}(?: \d{1,6})?\]/g;

/** The kinds of secrets that are masked in a text, each once, in order. */
export const maskedKinds = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(MASK), ([mask]) => mask.slice("[secret: ".length, -1).replace(/ \d+$/, ""))),
];

interface Masked extends Secret {
  mask: string;
  /** The secret itself. */
  secret: string;
}

function masksIn(text: string): Masked[] {
  const masks = new Map<string, string>();
  const counts = new Map<string, number>();
  return findSecrets(text).map((each) => {
    const secret = text.slice(each.start, each.end);
    let mask = masks.get(secret);
    if (mask === undefined) {
      const count = (counts.get(each.kind) ?? 0) + 1;
      counts.set(each.kind, count);
      mask = `[secret: ${each.kind}${count > 1 ? ` ${count}` : ""}]`;
      masks.set(secret, mask);
    }
    return { ...each, mask, secret };
  });
}

/** The line ends of a secret stay behind its mask, so that lines keep their numbers. */
const lineEnds = (secret: string): string => (secret.match(/\r?\n/g) ?? []).join("");

export function maskSecrets(text: string): string {
  const masked = masksIn(text);
  if (masked.length === 0) return text;
  let at = 0;
  const parts = masked.map(({ start, end, mask, secret }) => {
    const part = text.slice(at, start) + mask + lineEnds(secret);
    at = end;
    return part;
  });
  return parts.join("") + text.slice(at);
}

/** Every text of a value, keys of objects aside. `before`: done with each text first. */
export function maskEveryText<Value>(value: Value, before = (text: string): string => text): Value {
  const masked = (part: unknown): unknown => {
    if (typeof part === "string") return maskSecrets(before(part));
    if (Array.isArray(part)) return part.map(masked);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, masked(each)]));
  };
  return masked(value) as Value;
}

/** Puts back what the masks of an original stand for; masks that it does not have stay as they are. */
export function restoreSecrets(text: string, original: string): string {
  if (!text.includes("[secret: ")) return text;
  const known = new Map(masksIn(original).map(({ mask, secret }) => [mask, secret]));
  let restored = "";
  let at = 0;
  for (const { 0: mask, index } of text.matchAll(MASK)) {
    const secret = known.get(mask);
    if (secret === undefined) continue;
    restored += text.slice(at, index) + secret;
    at = index + mask.length;
    for (const _ of secret.matchAll(/\n/g)) {
      const end = text.startsWith("\r\n", at) ? 2 : Number(text.startsWith("\n", at));
      at += end;
    }
  }
  return restored + text.slice(at);
}
