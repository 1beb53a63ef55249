/**
 * The calls at which a test lets a process die. A death at each of many takes minutes, so that a landing tries every sixth,
 * and at most two dozen, other ones each time; `npm run check:release` and the fault laboratory try all.
 */
import type { Death } from "./mortal-storage.ts";

const part = Number(process.env.L2MAC_PART ?? 0);
const PARTS = 6;
const FEW = 12;
const MANY = 24;

export function sampledCalls(first: number, last: number): number[] {
  const all = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  if (all.length <= FEW || process.env.L2MAC_RELEASE) return all;
  const stride = Math.max(PARTS, Math.ceil(all.length / MANY));
  const offset = Math.floor((part * stride) / PARTS);
  return all.filter((_, at) => at % stride === offset);
}

/** Plays once undisturbed, to count the calls, then once with each death. `play` answers how many calls were made. */
export async function playSampledDeaths(play: (death: Death) => Promise<number>): Promise<void> {
  const calls = await play({ call: Number.POSITIVE_INFINITY, when: "before" });
  if (calls === 0) throw new Error("Nothing was called.");
  for (const [at, call] of sampledCalls(1, calls).entries()) await play({ call, when: at % 2 ? "before" : "after" });
}
