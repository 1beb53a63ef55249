/** Finds the parts of a test file again in what it became. Pure. */
import type { Part } from "./test-part.ts";

/** Each part of old in its order: the first that is the same and comes later. */
export function matched(before: Part[], after: Part[]): { kept: Map<Part, Part>; lost: Part[] } {
  const places = placesOf(after);
  const kept = new Map<Part, Part>();
  const lost: Part[] = [];
  let from = 0;
  for (const part of before.filter(({ kind }) => kind !== "import")) {
    const left = places.get(`${part.kind} ${part.key}`);
    while (left && (left.at(-1) ?? from) < from) left.pop();
    const at = left?.pop();
    const same = at === undefined ? undefined : after[at];
    if (same && at !== undefined) {
      kept.set(part, same);
      from = at + 1;
    } else lost.push(part);
  }
  return { kept, lost };
}

/** Of each key, the last place first. */
function placesOf(parts: Part[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [at, part] of [...parts.entries()].reverse()) {
    const key = `${part.kind} ${part.key}`;
    const same = places.get(key);
    if (same) same.push(at);
    else places.set(key, [at]);
  }
  return places;
}
