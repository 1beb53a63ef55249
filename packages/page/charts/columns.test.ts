import { describe, expect, it } from "vitest";
import { aTurn } from "../../../test/doubles/histories.ts";
import { beginnings, columnsOf, placeOf } from "./columns.ts";
import { endLeftOut, inLines, middleLeftOut } from "./fit.ts";
import { instructionAxis } from "./instruction-axis.ts";

describe("turns side by side", () => {
  const turns = Array.from({ length: 20_000 }, (_, index) => aTurn(1 + Math.floor(index / 20), 1 + (index % 20)));

  it("share a column where there are more of them than pixels", () => {
    const columns = columnsOf(turns, 1_000);
    expect(columns).toHaveLength(1_000);
    expect(columns.flatMap((column) => column.turns)).toEqual(turns);
    expect(placeOf(columns[1] ?? { turns: [] })).toBe("2.1 to 2.20");
  });

  it("know where instructions begin, in the middle of a column too", () => {
    expect(beginnings(columnsOf(turns, 500)).slice(0, 3)).toEqual([
      { at: 0, instruction: 1 },
      { at: 0.5, instruction: 2 },
      { at: 1, instruction: 3 },
    ]);
  });

  it("have round numbers below them, as many as there is room for", () => {
    const axis = instructionAxis({
      ...{ begins: beginnings(columnsOf(turns, 500)), columns: 500, x: (at) => at, top: 0, bottom: 10, title: "" },
    });
    const numbers = axis.join("").match(/(?<=>)\d+(?=<)/g);
    expect(numbers).toEqual(["100", "200", "300", "400", "500", "600", "700", "800", "900"]);
  });
});

describe("words", () => {
  it("are shortened to the room there is: a path in its middle, a sentence at its end", () => {
    expect(middleLeftOut("src/components/button.test.js", 16)).toBe("src/c…on.test.js");
    expect(middleLeftOut("a.js", 16)).toBe("a.js");
    expect(endLeftOut("It works as it should", 9)).toBe("It works…");
  });

  it("are set in lines between words, and a word that is too long is cut", () => {
    expect(inLines(`one two ${"x".repeat(40)}`, 70)).toEqual(["one two", `${"x".repeat(9)}…`]);
  });
});
