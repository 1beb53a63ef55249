import { describe, expect, it } from "vitest";
import type { TurnRecord } from "../../lib/core/turn/turn.ts";
import { failuresIn, foldTurns } from "./fold-turns.ts";

const turns = (refused: string): TurnRecord[] =>
  [...refused].map((letter, index) => {
    const fields = { instruction: 1, turn: index + 1, segment: 1, did: "complete_instruction", outcome: "tools" };
    return { ...fields, ...(letter === "." ? {} : { refused: letter === "t" ? "tests" : "syntax" }) } as TurnRecord;
  });

const shown = (refused: string, open = 0): string =>
  foldTurns(turns(refused), ({ turn }) => turn === open)
    .map((row) => ("folded" in row ? `(${row.folded.map(({ turn }) => turn).join(" ")})` : row.turn.turn))
    .join(" ");

describe("repeated refusals", () => {
  it.each([
    [".tttttt.", "1 2 (3 4 5 6) 7 8"],
    ["tttt", "1 (2 3) 4"],
    ["ttt", "1 2 3"],
    ["ttss", "1 2 3 4"],
    ["........", "1 2 3 4 5 6 7 8"],
  ])("of %s are the rows %s", (refused, rows) => {
    expect(shown(refused)).toBe(rows);
  });

  it("are not folded where one of them is open", () => {
    expect(shown("tttttt", 3)).toBe("1 2 3 4 5 6");
  });

  it("are failures, as are red tests and answers that are no use", () => {
    const [first, ...others] = turns("..t.");
    const prose = { ...first, outcome: "prose" } as TurnRecord;
    const red = { ...first, found: { failed: 1 } } as TurnRecord;
    expect(failuresIn([prose, ...others, red])).toEqual([0, 2, 4]);
  });
});
