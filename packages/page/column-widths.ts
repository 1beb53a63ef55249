/** The widths of the columns beside the middle of the page, in rem, and what keys do to them. Pure. */

export type Column = "program" | "files";

export const COLUMN_WIDTHS: Record<Column, number> = { program: 15, files: 14 };
export const NARROWEST = 9;
export const WIDEST = 40;
const STEP = 1;

export const boundWidth = (width: number): number => Math.min(WIDEST, Math.max(NARROWEST, Math.round(width * 4) / 4));

/** The column of files is at the right: the left arrow makes it wider. Undefined: the key does nothing here. */
export function widthAfterKey(column: Column, width: number, key: string): number | undefined {
  const outwards = column === "program" ? STEP : -STEP;
  const changed: Record<string, number> = {
    ArrowRight: width + outwards,
    ArrowLeft: width - outwards,
    Home: NARROWEST,
    End: WIDEST,
    Enter: COLUMN_WIDTHS[column],
  };
  return changed[key] === undefined ? undefined : boundWidth(changed[key]);
}

/** As it was kept; what is no width is the usual one. */
export function readWidth(column: Column, kept: string | null): number {
  const width = Number(kept ?? "");
  return width >= NARROWEST && width <= WIDEST ? boundWidth(width) : COLUMN_WIDTHS[column];
}
