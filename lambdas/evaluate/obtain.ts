/** Installs what can be had of what is wanted: what an installer names as impossible is left out, the rest is tried again. */
import { nameKey, type Requirements } from "./manifests.ts";

export type Attempt =
  | { had: true }
  /** Packages that the installer named as impossible, each with why. */
  | { impossible: { name: string; why: string }[] }
  /** It broke off for another reason, which would break off the next attempt too. */
  | { brokeOff: string };

export interface Obtained {
  missing: string[];
  /** False where another time may have more luck: no network, no time. */
  settled: boolean;
}

const ATTEMPTS = 12;

export async function obtain(
  wanted: Requirements,
  attempt: (wanted: Requirements) => Promise<Attempt>,
): Promise<Obtained> {
  const left = new Map(wanted);
  const missing: string[] = [];
  for (let count = 0; count < ATTEMPTS && left.size > 0; count += 1) {
    const outcome = await attempt(left);
    if ("had" in outcome) return { missing, settled: true };
    if ("brokeOff" in outcome) return { missing: [...missing, ...allOf(left, outcome.brokeOff)], settled: false };
    const named = outcome.impossible.filter(({ name }) => left.has(name));
    if (named.length === 0) return { missing: [...missing, ...allOf(left, "could not be installed")], settled: true };
    for (const { name, why } of named) {
      missing.push(`${written(name, left.get(name))}: ${why}`);
      left.delete(name);
    }
  }
  return { missing: [...missing, ...allOf(left, "not tried, too much else could not be had")], settled: true };
}

const allOf = (left: Requirements, why: string): string[] =>
  [...left].map(([name, requirement]) => `${written(name, requirement)}: ${why}`);

/** Python's requirements begin with the name, Node's are only the version. */
const written = (name: string, requirement = ""): string =>
  nameKey(requirement).startsWith(name) ? requirement : `${name}@${requirement}`;
