import { describe, expect, it } from "vitest";
import { type Comparison, disagreements, figuresOf, type Opinion, outcomeOf, type Truth, tableOf } from "./compare.ts";

const compared = (truth: Truth["colour"], verdict?: Opinion["colour"], more: Partial<Comparison> = {}): Comparison => ({
  ...{ label: "pypi:a", runner: "pytest", truth: { colour: truth, seconds: 1 } },
  ...(verdict ? { verdict: { colour: verdict, cause: "a.py:1 wrong", said: "", seconds: 1 } } : {}),
  ...more,
});
const times = (count: number, one: Comparison): Comparison[] => Array.from({ length: count }, () => one);

describe("an outcome", () => {
  it.each([
    ["green", "green", "agree"],
    ["green", "unchecked", "honest unchecked"],
    ["green", "red", "false red"],
    ["red", "green", "false green"],
    ["red", "unchecked", "honest unchecked"],
    ["red", "red", "agree"],
    ["unknown", "red", "truth unknown"],
    ["green", undefined, "truth unknown"],
  ] as const)("truth %s and verdict %s: %s", (truth, verdict, outcome) => {
    expect(outcomeOf(compared(truth, verdict))).toBe(outcome);
  });
});

describe("the table", () => {
  it("has a row for each runner, and counts cases and variants apart", () => {
    const rows = [
      compared("green", "green"),
      compared("green", "red", { runner: "go test" }),
      compared("red", "green", { label: "case:a", runner: "small cases" }),
      compared("red", "red", { mutant: "a.py:1" }),
    ];
    expect(tableOf(rows).split("\n")).toEqual([
      "| runner            | projects | agree | honest unchecked | false red | false green | truth unknown |",
      "|-------------------|----------|-------|------------------|-----------|-------------|---------------|",
      "| go test           | 1        | 0     | 0                | 1         | 0           | 0             |",
      "| pytest            | 1        | 1     | 0                | 0         | 0           | 0             |",
      "| all real projects | 2        | 1     | 0                | 1         | 0           | 0             |",
      "| small cases       | 1        | 0     | 0                | 0         | 1           | 0             |",
      "| red variants      | 1        | 1     | 0                | 0         | 0           | 0             |",
    ]);
  });
});

describe("the figures", () => {
  it("are reached with 95 % of the healthy ones green and 1 % red", () => {
    const rows = [...times(95, compared("green", "green")), ...times(4, compared("green", "unchecked"))];
    const { lines, reached } = figuresOf([...rows, compared("green", "red"), compared("red", "red")]);
    expect(reached).toBe(true);
    expect(lines[0]).toContain("Healthy projects: 100; 95.0 % green, 4.0 % unchecked, 1.0 % red");
    expect(lines[1]).toBe("Red projects: 1; 0.0 % green, 0.0 % unchecked, 100.0 % red.");
  });

  it("are reached by a part of the list with a fifth unchecked", () => {
    const part = (unchecked: number) => [
      ...times(30 - unchecked, compared("green", "green")),
      ...times(unchecked, compared("green", "unchecked")),
    ];
    expect(figuresOf(part(6)).reached).toBe(true);
    expect(figuresOf(part(7)).lines.at(-1)).toBe("Limits missed: too few healthy projects are green.");
  });

  it("are missed with less green or more red", () => {
    const fewer = [...times(94, compared("green", "green")), ...times(6, compared("green", "unchecked"))];
    expect(figuresOf(fewer).lines.at(-1)).toBe("Limits missed: too few healthy projects are green.");
    const redder = [...times(98, compared("green", "green")), ...times(2, compared("green", "red"))];
    expect(figuresOf(redder).lines.at(-1)).toBe("Limits missed: too many healthy projects are red.");
  });

  it.each([{}, { label: "case:a" }, { mutant: "a.py:1" }])("are missed by one false green: %j", (more) => {
    const { lines, reached } = figuresOf([...times(100, compared("green", "green")), compared("red", "green", more)]);
    expect([lines.at(-1), reached]).toEqual(["Limits missed: 1 false green.", false]);
  });

  it("count neither cases nor what has no known truth among the healthy projects", () => {
    const rows = [compared("green", "green"), compared("unknown"), compared("green", "red", { label: "case:a" })];
    expect(figuresOf(rows).lines[0]).toContain("Healthy projects: 1; 100.0 % green");
  });

  it("are missed where nothing was compared", () => {
    expect(figuresOf([compared("unknown")])).toMatchObject({ reached: false });
  });
});

describe("the disagreements", () => {
  it("begin with the false greens, and name the cause of each", () => {
    const why: Truth = { colour: "unknown", why: "no time was left", seconds: 0 };
    const rows = [compared("green", "green"), compared("unknown", undefined, { truth: why }), compared("green", "red")];
    expect(disagreements([...rows, compared("red", "green", { mutant: "a.py:1" })])).toEqual([
      "false green: pypi:a (a.py:1); truth red; verdict green: a.py:1 wrong",
      "false red: pypi:a; truth green; verdict red: a.py:1 wrong",
      "truth unknown: pypi:a; truth unknown (no time was left); verdict not taken",
    ]);
  });
});
