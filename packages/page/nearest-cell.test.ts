import { describe, expect, it } from "vitest";
import { nearestCell } from "./nearest-cell.ts";

const cells = [
  { x: 0, y: 0, row: "a" },
  { x: 20, y: 0, row: "a" },
  { x: 10, y: 14, row: "b" },
  { x: 22, y: 14, row: "b" },
  { x: 0, y: 28, row: "c" },
];

describe("the arrow keys in a chart", () => {
  it("begin at its first cell, stay in a row sideways, and go to the nearest of the next row", () => {
    expect(nearestCell(cells, undefined, "ArrowRight")).toBe(0);
    expect(nearestCell(cells, 0, "ArrowRight")).toBe(1);
    expect(nearestCell(cells, 1, "ArrowDown")).toBe(3);
    expect(nearestCell(cells, 3, "ArrowLeft")).toBe(2);
    expect(nearestCell(cells, 0, "ArrowDown")).toBe(2);
    expect(nearestCell(cells, 4, "ArrowUp")).toBe(2);
  });

  it("stop at the edges, and leave other keys alone", () => {
    expect(nearestCell(cells, 1, "ArrowRight")).toBeUndefined();
    expect(nearestCell(cells, 4, "ArrowDown")).toBeUndefined();
    expect(nearestCell(cells, 0, "Tab")).toBeUndefined();
    expect(nearestCell([], undefined, "ArrowDown")).toBeUndefined();
  });
});
