/** Where most of a tree is: the folders or files to leave out first. Pure. */

export interface Weight {
  /** A path; of a folder with a slash at its end. */
  name: string;
  weight: number;
}

/** Where one folder has so much of all, its parts say more than its name. */
const MOST = 0.7;
/** Where no part has so much, its name says more. */
const LITTLE = 0.1;

/** The heaviest parts, most first. `above`: the folder that all of the files are in. */
export function largestParts(files: Weight[], atMost: number, above = ""): Weight[] {
  const parts = partsOf(files, above);
  const [first] = parts;
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  const named = parts.slice(0, atMost);
  if (!first?.name.endsWith("/") || first.weight < MOST * total) return named;
  const within = files.filter(({ name }) => name.startsWith(first.name));
  const inner = largestParts(within, atMost, first.name);
  return (inner[0]?.weight ?? 0) < LITTLE * total ? named : inner;
}

function partsOf(files: Weight[], above: string): Weight[] {
  const parts = new Map<string, number>();
  for (const { name, weight } of files) {
    const end = name.indexOf("/", above.length);
    const part = end === -1 ? name : name.slice(0, end + 1);
    parts.set(part, (parts.get(part) ?? 0) + weight);
  }
  return [...parts].map(([name, weight]) => ({ name, weight })).sort((a, b) => b.weight - a.weight);
}
