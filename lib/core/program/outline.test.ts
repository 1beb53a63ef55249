import { expect, it } from "vitest";
import { OUTLINE_TOKENS } from "../limits.ts";
import { likelyTokens } from "../turn/estimate.ts";
import { type OutlineRow, outlineOf } from "./outline.ts";

const row = (number: number, more: Partial<OutlineRow> = {}): OutlineRow => ({
  ...{ number, title: `Part ${number}`, status: "waiting", unchecked: [] },
  ...more,
});
const rows = (from: number, to: number, now: number): OutlineRow[] =>
  Array.from({ length: to - from + 1 }, (_, at) => row(from + at, from + at < now ? { status: "accepted" } : {}));

it("names every instruction of a short program with its state", () => {
  const program = [
    row(1, { status: "accepted" }),
    row(2, { status: "skipped" }),
    row(3, { status: "accepted", unchecked: ["tests"] }),
    row(4, { status: "running" }),
    row(5),
  ];
  expect(outlineOf(program, { now: 4, total: 5, skipped: 1 }).split("\n")).toEqual([
    "1. Part 1 (done)",
    "2. Part 2 (skipped: nothing of it is there)",
    "3. Part 3 (done, in part unchecked)",
    "4. Part 4 ← this instruction",
    "5. Part 5",
  ]);
});

it("folds what is far away in a long program, and stays within its tokens whatever the titles", () => {
  const program = rows(471, 560, 500).map((one) => ({ ...one, title: `${one.title} ${"é long ".repeat(50)}\nmore` }));
  const outline = outlineOf(program, { now: 500, total: 10_000, skipped: 3 });
  expect(likelyTokens(new TextEncoder().encode(outline).length, { tokensPerByte: 0 })).toBeLessThanOrEqual(
    OUTLINE_TOKENS,
  );
  const lines = outline.split("\n");
  expect(lines[0]).toMatch(/^1 to 4\d\d: done, 3 of the program skipped$/);
  expect(lines.at(-1)).toMatch(/^5\d\d to 10000: to come$/);
  expect(lines.filter((line) => line.includes("← this instruction"))).toHaveLength(1);
  const numbers = lines.slice(1, -1).map((line) => Number(/^\d+/.exec(line)?.[0]));
  expect(numbers).toEqual(numbers.map((_, at) => (numbers[0] ?? 0) + at));
});

it("names this instruction even where nothing else fits", () => {
  expect(outlineOf(rows(1, 9, 5), { now: 5, total: 9, skipped: 0, tokens: 1 })).toBe(
    "1 to 4: done\n5. Part 5 ← this instruction\n6 to 9: to come",
  );
});
