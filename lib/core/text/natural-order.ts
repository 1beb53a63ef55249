/** The order in which people put numbered names: 2 before 10. By code unit, so that it is the same everywhere. */

export function naturalOrder(one: string, other: string): number {
  const ours = keysOf(one);
  const theirs = keysOf(other);
  for (const [index, key] of ours.entries()) {
    const order = compare(key, theirs[index] ?? "");
    if (order !== 0) return order;
  }
  return ours.length - theirs.length || compare(one, other);
}

/**
 * A name without its extension, cut into texts and numbers in turn. A slash becomes the lowest character, so that a
 * folder's files stay together.
 */
const keysOf = (path: string): string[] =>
  path
    .normalize("NFC")
    .toLowerCase()
    .replace(/\.[^./]*$/, "")
    .replaceAll("/", "\0")
    .split(/(\d+)/)
    .map((part, index) => (index % 2 === 1 ? sortable(part) : part));

/** Numbers of any length compare as texts once prefixed with their length. */
function sortable(digits: string): string {
  const significant = digits.replace(/^0+/, "");
  return String.fromCharCode(significant.length) + significant;
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
