/** Requirements that have parts: R1 with R1.1 and R1.2. Pure. */
import { parentOf } from "../program/requirements.ts";

/** By requirement, its parts. */
export type RequirementParts = ReadonlyMap<string, readonly string[]>;

export const partsOf = (requirements: readonly { id: string }[]): RequirementParts =>
  Map.groupBy(
    requirements.map(({ id }) => id),
    parentOf,
  );

/** What is asked for where these are served: what has parts, by those that no other instruction names. */
export function smallestParts(
  served: readonly string[],
  { parts, others }: { parts: RequirementParts; others: ReadonlySet<string> },
): string[] {
  const below = (id: string): string[] => (parts.get(id) ?? []).filter((part) => !others.has(part)).flatMap(expanded);
  const expanded = (id: string): string[] => (parts.has(id) ? below(id) : [id]);
  return [...new Set(served.flatMap(expanded))];
}
