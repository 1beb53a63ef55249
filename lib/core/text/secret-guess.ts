/** Tells secrets that have no format of their own from words, names and placeholders. Pure. */

/** A word that a person would choose, or a sign that a program puts something else here. */
const NOT_SECRET =
  /^(?:pass(?:word|wd|phrase)?|pwd?|secret|token|key|user(?:name)?|root|admin|guest|test|postgres|mysql|redis|minio|example|changeme|foobar|hunter2|x+|\*+|\.+)\d{0,4}$|^[$%{<[(*]|\$\{|\{\{|%[sd(]|\.\.\./i;
const EXAMPLE =
  /secret|token|passw|credential|1234|abcd|xxx|example|placeholder|change_?me|dummy|sample|your|fake|redacted|test/i;
const NAME_OF_SECRET =
  /(?:secret|token|passw(?:or)?d|passphrase|api_?key|access_?key|secret_?key|private_?key|auth_?key|credentials?)$/i;
const LEAST_BITS = 3.5;

/** Bits of each character, by how often each occurs: words have less than what was drawn by chance. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}

export const isDrawn = (value: string): boolean =>
  /\d/.test(value) && /[a-z]/i.test(value) && !EXAMPLE.test(value) && entropyOf(value) >= LEAST_BITS;

export const namesSecret = (before: string): boolean =>
  NAME_OF_SECRET.test(before.replaceAll("-", "_").replace(/(?<![^\w.])[^\w.]+$/, ""));

export const isPlaceholder = (value: string): boolean => NOT_SECRET.test(value);
