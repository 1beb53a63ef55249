/** Removes from every text of a verdict what looks like a key. Pure. */
import type { Verdict } from "../../core/verdict/verdict.ts";

export const REDACTED = "[redacted]";

/** Not within a word, but after what a program shows of a line's end as `\\n`. */
const key = (pattern: RegExp): RegExp => new RegExp(`(?<!(?<!\\\\)[A-Za-z0-9_])(?:${pattern.source})`, "g");

const KEYS: RegExp[] = [
  // AWS: access keys, session tokens, and secret keys where they are called so.
  key(/(?:AKIA|ASIA)[A-Z0-9]{16}\b/),
  key(/(?:FwoGZXIvYXdz|IQoJb3JpZ2luX2Vj)[A-Za-z0-9+/=]{40,}/),
  /(?<=\baws_?(?:secret_?access_?key|session_?token)["']?\s*[=:]\s*["']?)[A-Za-z0-9+/=]{30,}/gi,
  // GitHub, GitLab, Slack, Google, and OpenAI and those who name theirs as it does.
  key(/gh[pousr]_[A-Za-z0-9]{30,}/),
  key(/github_pat_\w{30,}/),
  key(/glpat-[\w-]{20,}/),
  key(/xox[abprs]-[\w-]{20,}/),
  key(/AIza[\w-]{35}/),
  key(/sk-(?=[\w-]{0,200}\d)[\w-]{20,}/),
  /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:(?!-----(?:BEGIN|END))[\s\S])*(?:-----END [A-Z ]*PRIVATE KEY-----)?/g,
];

/** Shorter ones are words. */
const KNOWN_CHARS = 12;

/** `known`: secrets that are no pattern, such as those of the function itself. */
export function withoutKeys(verdict: Verdict, known: string[] = []): Verdict {
  const secrets = known.filter(({ length }) => length >= KNOWN_CHARS);
  const redact = (text: string): string =>
    KEYS.reduce(
      (said, key) => said.replace(key, REDACTED),
      secrets.reduce((said, secret) => said.replaceAll(secret, REDACTED), text),
    );
  return everyText(verdict, redact) as Verdict;
}

function everyText(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((each) => everyText(each, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, everyText(each, redact)]));
}
