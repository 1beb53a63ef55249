/** Wildcards of policies: `*` matches any text, `?` one character. Pure. */

/** Regular expressions, kept: a rehearsal asks the same few patterns thousands of times. */
const kept = new Map<string, RegExp>();

export const matchesPlain = (pattern: string, text: string): boolean =>
  matcher(`plain ${pattern}`, () => escaped(pattern).replaceAll("*", "[^]*").replaceAll("?", "[^]")).test(text);

/** Actions: in any case. */
export const matchesAction = (pattern: string, action: string): boolean =>
  matchesPlain(pattern.toLowerCase(), action.toLowerCase());

/** Resources: a star goes beyond a colon only at the end of its segment. */
export const matchesResource = (pattern: string, arn: string): boolean =>
  matcher(`resource ${pattern}`, () =>
    escaped(pattern)
      .replaceAll("?", "[^:]")
      .replaceAll(/\*(?=:|$)/g, "\u0000")
      .replaceAll("*", "[^:]*")
      .replaceAll("\u0000", "[^]*"),
  ).test(arn);

/** ArnLike, and ArnEquals, which is the same: each of the six segments for itself. */
export function matchesArn(pattern: string, arn: string): boolean {
  const [wanted, given] = [segments(pattern), segments(arn)];
  if (wanted.length !== SEGMENTS) throw new Error(`${pattern} is no ARN.`);
  return given.length === SEGMENTS && wanted.every((segment, at) => matchesPlain(segment, given[at] ?? ""));
}

const SEGMENTS = 6;

/** What follows the fifth colon is one. */
function segments(arn: string): string[] {
  const parts = arn.split(":");
  return parts.length <= SEGMENTS ? parts : [...parts.slice(0, SEGMENTS - 1), parts.slice(SEGMENTS - 1).join(":")];
}

function matcher(key: string, source: () => string): RegExp {
  const made = kept.get(key) ?? new RegExp(`^${source()}$`, "u");
  kept.set(key, made);
  return made;
}

/** All but the wildcards. */
const escaped = (pattern: string): string => pattern.replace(/[\\^$.|+()[\]{}]/g, "\\$&");
