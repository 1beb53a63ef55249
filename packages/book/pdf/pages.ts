/** Fills pages with rows, from top to bottom. Pure. */
import type { Row } from "./rows.ts";

export interface PlacedRow {
  row: Row;
  /** From the top of the column. */
  y: number;
}
export type Page = PlacedRow[];

/** Rows that stay together move to the next page together, unless they fill more than a page. */
export function fillPages(rows: Row[], height: number): Page[] {
  const pages: Page[] = [[]];
  let used = 0;
  const place = (row: Row): void => {
    const page = pages.at(-1) ?? [];
    const before = page.length === 0 ? 0 : row.before;
    if (page.length > 0 && used + before + row.height > height) {
      pages.push([{ row, y: 0 }]);
      used = row.height;
      return;
    }
    // A page does not begin with an empty space.
    if (page.length === 0 && row.items.length === 0 && row.marks.length === 0) return;
    page.push({ row, y: used + before });
    used += before + row.height;
  };
  for (const group of groupsOf(rows)) {
    const needed = group.reduce((sum, row) => sum + row.before + row.height, 0);
    if (used + needed > height && needed <= height && used > 0) {
      pages.push([]);
      used = 0;
    }
    for (const row of group) place(row);
  }
  return pages.filter((page) => page.length > 0);
}

function groupsOf(rows: Row[]): Row[][] {
  const groups: Row[][] = [];
  let open = false;
  for (const row of rows) {
    const last = groups.at(-1);
    if (open && last) last.push(row);
    else groups.push([row]);
    open = row.keep;
  }
  return groups;
}
