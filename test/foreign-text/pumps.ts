/** Texts that make an expression try again and again: what its repetitions match, repeated, and then what fits nowhere. */
import { SAMPLES, type Tree, treesOf } from "./pattern-tree.ts";

const MOST = 4;
const CHARACTERS = 16_000;
/** One that is linear takes a hundredth of it; most that are quadratic take more. */
const SLOW_MS = 150;

/** A text of one round of each repetition without an end, and of what leads to it. */
function pumpsOf(source: string, flags: string): string[] {
  const pumps = treesOf(source, flags).flatMap(roundsIn);
  return [...new Set(pumps)].filter((pump) => pump !== "" && pump.length <= 12).slice(0, MOST);
}

function roundsIn(tree: Tree): string[] {
  if (tree.kind === "set") return [];
  if (tree.kind === "repeated")
    return [...(tree.most === Number.POSITIVE_INFINITY ? [exampleOf(tree.part)] : []), ...roundsIn(tree.part)];
  const inner = tree.parts.flatMap(roundsIn);
  if (tree.kind === "one of") return inner;
  // The beginning again and again: each is a place to start from, and the rest never comes.
  const first = tree.parts.findIndex((part) => part.kind === "repeated" && part.most === Number.POSITIVE_INFINITY);
  const start = tree.parts
    .slice(0, first + 1)
    .map(exampleOf)
    .join("");
  return first > 0 ? [start, ...inner] : inner;
}

function exampleOf(tree: Tree): string {
  if (tree.kind === "set")
    return SAMPLES.find((_, at) => (tree.set >> BigInt(at)) & 1n && PLAIN.has(at)) ?? anyOf(tree.set);
  if (tree.kind === "all") return tree.parts.map(exampleOf).join("");
  if (tree.kind === "one of") return exampleOf(tree.parts[0] ?? { kind: "all", parts: [] });
  return exampleOf(tree.part).repeat(Math.max(1, Math.min(tree.least, 3)));
}

/** Letters and blanks, which most sets have. */
const PLAIN = new Set([32, 97, 65, 48, 45]);
const anyOf = (set: bigint): string => SAMPLES.find((_, at) => (set >> BigInt(at)) & 1n) ?? "";

/** Whether it takes long on one of them: in processor time of this thread, the least of several. */
export function isSlow(source: string, flags: string): boolean {
  const pattern = new RegExp(source, [...new Set(`${flags}g`)].join(""));
  return pumpsOf(source, flags).some((pump) =>
    ["\u0001", "\n"].some((end) => {
      const text = pump.repeat(CHARACTERS / pump.length) + end;
      return [1, 2, 3].every(() => timeOf(pattern, text) > SLOW_MS);
    }),
  );
}

function timeOf(pattern: RegExp, text: string): number {
  const before = process.threadCpuUsage();
  text.replace(pattern, "");
  return process.threadCpuUsage(before).user / 1_000;
}
