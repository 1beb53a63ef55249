/** Finds the lines of one file that match, and shows each as one line. Pure. */
import type { RE2JS } from "re2js";
import { sanitize } from "../core/text/sanitize.ts";

export interface Hit {
  path: string;
  /** Counted from 1. */
  line: number;
  text: string;
}

export function searchLines(asked: { path: string; lines: string[]; regex: RE2JS; most: number }): Hit[] {
  const { path, lines, regex, most } = asked;
  const hits: Hit[] = [];
  for (const [index, raw] of lines.entries()) {
    if (hits.length >= most) break;
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    if (regex.test(line)) hits.push({ path, line: index + 1, text: around(line, regex) });
  }
  return hits;
}

export const hitText = ({ path, line, text }: Hit): string => `${path}:${line}: ${text}`;

const SHOWN_CHARS = 240;
/** In longer lines the place of the match is not looked for: it costs more than the match itself. */
const LOCATED_CHARS = 20_000;

/** Of a long line, the part in which the match begins. */
function around(line: string, regex: RE2JS): string {
  if (line.length <= SHOWN_CHARS) return sanitize(line);
  const matcher = line.length <= LOCATED_CHARS ? regex.matcher(line) : undefined;
  const at = matcher?.find() ? matcher.start() : 0;
  const from = Math.max(0, Math.min(at - SHOWN_CHARS / 4, line.length - SHOWN_CHARS));
  const part = sanitize(line.slice(from, from + SHOWN_CHARS));
  return `${from > 0 ? "…" : ""}${part}${from + SHOWN_CHARS < line.length ? "…" : ""}`;
}
