/** Texts that make an expression try again and again: what its repetitions match, repeated, and then what fits nowhere. */
import { SAMPLES, type Tree, treesOf } from "./pattern-tree.ts";

const MOST = 8;
const LENGTHS = [1_000, 16_000];
/** Of the time that a quadratic expression takes: one that is linear takes a hundredth. */
const SLOW_SHARE = 0.4;
/** A round of n characters gives an nth of the places to start from: of longer ones what is found is as fast as what is read. */
const LONGEST_ROUND = 4;

interface Pump {
  /** What leads to it, once. */
  before: string;
  round: string;
}

/** One round of each repetition without an end, with and without what leads to it. */
function pumpsOf(source: string, flags: string): Pump[] {
  const pumps = treesOf(source, flags).flatMap((tree) => roundsIn(tree, flags.includes("m")));
  const all = pumps.flatMap((pump) => [{ ...pump, before: "" }, pump]);
  return [...new Map(all.map((pump) => [JSON.stringify(pump), pump])).values()]
    .filter(({ round }) => round !== "" && round.length <= LONGEST_ROUND)
    .slice(0, MOST);
}

/** `overLines`: each line is a place to start from. */
function roundsIn(tree: Tree, overLines: boolean): Pump[] {
  if (tree.kind === "set") return [];
  if (tree.kind === "repeated") {
    const rounds = tree.most === Number.POSITIVE_INFINITY ? [exampleOf(tree.part)] : [];
    if (overLines && rounds.length > 0 && tree.part.kind === "set" && has(tree.part.set, "\n")) rounds.push("\n");
    return [...rounds.map((round) => ({ before: "", round })), ...roundsIn(tree.part, overLines)];
  }
  if (tree.kind === "one of") return tree.parts.flatMap((part) => roundsIn(part, overLines));
  const inner = tree.parts.flatMap((part, at) => {
    const before = tree.parts.slice(0, at).map(exampleOf).join("");
    return roundsIn(part, overLines).map((pump) => ({ ...pump, before: before + pump.before }));
  });
  // The beginning again and again: each is a place to start from, and the rest never comes.
  const first = tree.parts.findIndex((part) => part.kind === "repeated" && part.most === Number.POSITIVE_INFINITY);
  const start = tree.parts
    .slice(0, first + 1)
    .map(exampleOf)
    .join("");
  const bare = tree.parts.slice(0, Math.max(first, 0)).map(exampleOf).join("");
  return first > 0 ? [bare, start].map((round) => ({ before: "", round })).concat(inner) : inner;
}

const has = (set: bigint, character: string): boolean => ((set >> BigInt(SAMPLES.indexOf(character))) & 1n) === 1n;

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

/** Whether it takes long on one of them, measured beside an expression that does. */
export function isSlow(source: string, flags: string): boolean {
  const pattern = new RegExp(source, [...new Set(`${flags}g`)].join(""));
  return pumpsOf(source, flags).some(({ before, round }) =>
    // The short ones first: what is worse than quadratic would take hours for a long one.
    LENGTHS.some((length) =>
      ENDS.some((end) => {
        const text = before + round.repeat(length / round.length) + end;
        return shareOf(pattern, text) * round.length > SLOW_SHARE;
      }),
    ),
  );
}

/** Its time as a share of a quadratic one's. The two run in turn, so that a busy computer slows both; the median counts. */
function shareOf(pattern: RegExp, text: string): number {
  if (timeOf(pattern, text) < FAST_MS) return 0;
  const shares = [1, 2, 3, 4, 5].map(() => timeOf(pattern, text) / timeOf(QUADRATIC, QUADRATIC_TEXT));
  return shares.sort((a, b) => a - b)[2] ?? 0;
}

/** The last is the end of a line for an expression, and not for what splits a text at `\n`. */
const ENDS = ["\u0001", "\n", "\u2028x"];

const QUADRATIC = new RegExp(`\\s+${"$"}`, "g");
const QUADRATIC_TEXT = `${" ".repeat(LENGTHS.at(-1) ?? 0)}x`;
/** A quadratic one takes ten times as long on every computer. */
const FAST_MS = 5;

function timeOf(pattern: RegExp, text: string): number {
  const before = process.threadCpuUsage();
  text.replace(pattern, "");
  return process.threadCpuUsage(before).user / 1_000;
}
