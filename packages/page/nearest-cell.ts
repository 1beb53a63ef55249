/** The next shape of a chart in the direction of an arrow key. Pure. */

export interface Cell {
  x: number;
  y: number;
  /** Charts of one row have none. */
  row: string | undefined;
}

export function nearestCell(cells: Cell[], from: number | undefined, key: string): number | undefined {
  const here = from === undefined ? undefined : cells[from];
  if (!here) return key.startsWith("Arrow") && cells.length > 0 ? 0 : undefined;
  const sideways = key === "ArrowLeft" || key === "ArrowRight";
  const sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : key === "ArrowLeft" || key === "ArrowUp" ? -1 : 0;
  if (sign === 0) return undefined;
  const farOf = ({ x, y }: Cell): number =>
    sideways ? Math.abs(x - here.x) : Math.abs(y - here.y) * ROW_WEIGHT + Math.abs(x - here.x);
  const there = [...cells.keys()].filter((index) => {
    const cell = cells[index];
    if (!cell || (cell.row === here.row) !== sideways) return false;
    return sign * (sideways ? cell.x - here.x : cell.y - here.y) > 0;
  });
  return there.reduce<number | undefined>((best, index) => {
    const [one, other] = [cells[index], best === undefined ? undefined : cells[best]];
    return one && (!other || farOf(one) < farOf(other)) ? index : best;
  }, undefined);
}

/** The next row is nearer than anything in the row after it. */
const ROW_WEIGHT = 10_000;
