/** Installs the available part of the requested packages: those that an installer rejects are left out, and the rest is tried again. */
import type { InstallerResult } from "../language.ts";
import { nameKey, type Requirements } from "./manifests.ts";

export type Attempt =
  | { had: true }
  /** Packages that the installer named as impossible, each with why. */
  | { impossible: { name: string; why: string }[] }
  /** It failed for another reason, which would stop the next attempt too. */
  | { brokeOff: string }
  /** The packages are larger than the limit: nothing of them is kept. */
  | { tooLarge: string };

export interface InstallResult {
  missing: string[];
  /** False if a later attempt may succeed: no network, no time. */
  settled: boolean;
  /** Nothing of it can be used. */
  spoilt?: boolean;
}

const ATTEMPTS = 12;

export async function installAvailable(
  wanted: Requirements,
  attempt: (wanted: Requirements) => Promise<Attempt>,
): Promise<InstallResult> {
  const left = new Map(wanted);
  const missing: string[] = [];
  const ended = (why: string): string[] => [...missing, ...allOf(left, why)];
  for (let count = 0; count < ATTEMPTS && left.size > 0; count += 1) {
    const outcome = await attempt(left);
    if ("had" in outcome) return { missing, settled: true };
    if ("tooLarge" in outcome) return { missing: ended(outcome.tooLarge), settled: true, spoilt: true };
    if ("brokeOff" in outcome) return { missing: ended(outcome.brokeOff), settled: false };
    const named = outcome.impossible.filter(({ name }) => left.has(name));
    if (named.length === 0) return { missing: ended("could not be installed"), settled: true };
    for (const { name, why } of named) {
      missing.push(`${written(name, left.get(name))}: ${why}`);
      left.delete(name);
    }
  }
  return { missing: ended("not tried, too many others are not available"), settled: true };
}

const allOf = (left: Requirements, why: string): string[] =>
  [...left].map(([name, requirement]) => `${written(name, requirement)}: ${why}`);

/** Python's requirements begin with the name, Node's are only the version. */
export const written = (name: string, requirement = ""): string =>
  nameKey(requirement).startsWith(name) ? requirement : `${name}@${requirement}`;

export function stoppedBy({ tooLarge, status }: InstallerResult): Attempt | undefined {
  if (tooLarge) return { tooLarge };
  return status === "timed_out" ? { brokeOff: "there was no time to install it" } : undefined;
}
