import { expect, it } from "vitest";
import { readAmount } from "./read-amount.ts";

const read = (text: string, isWhole = false) => readAmount(text, { field: "Budget", isWhole });

it("takes digits and one point, as a person writes an amount", () => {
  expect(["5", "10.50", " .5 ", "007", "3."].map((text) => read(text))).toEqual(
    [5, 10.5, 0.5, 7, 3].map((value) => ({ value })),
  );
});

it("says of anything else how it is written, with the name of its field", () => {
  const other = ["0x10", "1e3", "ten", "1,5", "1.2.3", "$5", "Infinity", "", "--1", "9".repeat(400)];
  expect(new Set(other.map((text) => JSON.stringify(read(text))))).toEqual(
    new Set([JSON.stringify({ problem: "Budget: enter a number, like 10.50." })]),
  );
  expect(["1.5", "ten"].map((text) => read(text, true))).toEqual(
    Array(2).fill({ problem: "Budget: enter a whole number, like 24." }),
  );
});

it("says that it must be more than 0", () => {
  for (const text of ["0", "-1", "0.0", "-0.5"])
    expect(read(text)).toEqual({ problem: "Budget: it must be more than 0." });
});
