/** Whether RE2 compiles a pattern: its syntax is close to that of JavaScript; where they differ, what RE2 lacks is refused. Pure. */

/** What RE2 repeats at most, repetitions inside repetitions multiplied. */
const REPEATED_AT_MOST = 1_000;
/** A quotation, an escape, a class, a count, or one character. A class that begins with `]` is none: it is another one in each syntax. */
const TOKENS =
  /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[(?:\^|(?!\^))(?:\\[\s\S]|\[:\^?\w*:\]|[^\]\\])+(?:\]|$)|\{(\d+)(?:(,)(\d*))?\}|[\s\S]/g;
const KNOWN_ESCAPE = /^\\(?:[^a-zA-Z1-9]|[aAbBCdDfnpPrsStvwWxz])$/;
const KNOWN_IN_CLASS = /^\\(?:[^a-zA-Z1-9]|[adDfnpPrsStvwWx])$/;
/** Of RE2 alone: JavaScript cannot tell whether the rest is right. */
const ONLY_RE2 = /\[\[:|\(\?[imsU-]+[:)]|\(\?P<|\\[AzQEpP]/;

export function isPattern(text: string): boolean {
  if (text.includes("{{")) return true;
  if (/\(\?(?:[=!]|<[=!])/.test(text) || !hasKnownTokens(text)) return false;
  if (ONLY_RE2.test(text)) return true;
  try {
    return new RegExp(text).source !== "";
  } catch {
    return false;
  }
}

function hasKnownTokens(text: string): boolean {
  /** How often what is open repeats at most, innermost last; and how often the latest atom does. */
  const open = [1];
  let atom = 1;
  for (const [token, least, comma, most] of text.matchAll(TOKENS)) {
    if (isOpenClass(token) || !hasKnownEscapes(token)) return false;
    if (token === "(") open.push(1);
    else if (token === ")") atom = (open.length > 1 && open.pop()) || 1;
    else if (least === undefined) atom = 1;
    else atom *= Number(comma ? most || least : least);
    if (atom > REPEATED_AT_MOST) return false;
    if (token !== "(") open.push(Math.max(open.pop() ?? 1, atom));
  }
  return true;
}

const isOpenClass = (token: string): boolean => token.startsWith("[") && !token.replace(/\\[\s\S]/g, "").endsWith("]");

function hasKnownEscapes(token: string): boolean {
  const known = token.startsWith("[") ? KNOWN_IN_CLASS : KNOWN_ESCAPE;
  return token.startsWith("\\Q") || (token.match(/\\[\s\S]/g) ?? []).every((each) => known.test(each));
}
