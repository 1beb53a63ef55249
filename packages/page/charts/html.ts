/** Parts of which the report is made. Whatever goes in as a cell is escaped here. Pure. */
import { element, text } from "./svg.ts";

export const section = ({ title, class: named }: { title: string; class?: string }, ...children: string[]): string =>
  element("section", { class: named }, element("h2", {}, text(title)), ...children);

/** `number`: aligned to the right. */
export interface TableColumn {
  title: string;
  number?: true;
}

/** Text, or elements that are made of it. */
export type TableCell = string | { html: string };

export interface Table {
  caption: string;
  columns: TableColumn[];
  /** The first cell of each names it. */
  rows: TableCell[][];
}

/** What is wider than the window scrolls in itself, also without a mouse. */
export const table = ({ caption, columns, rows }: Table): string =>
  element(
    "div",
    { class: "wide", role: "region", "aria-label": caption, tabindex: 0 },
    element(
      "table",
      { class: columns.length > FEW ? "many" : undefined },
      element("caption", {}, text(caption)),
      element("thead", {}, element("tr", {}, ...columns.map(titleCell))),
      element("tbody", {}, ...rows.map((cells) => element("tr", {}, ...cells.map(cellIn(columns))))),
    ),
  );

/** More columns than a telephone has room for. */
const FEW = 3;

const titleCell = ({ title, number }: TableColumn): string =>
  element("th", { scope: "col", class: number && "number" }, text(title));

const cellIn =
  (columns: TableColumn[]) =>
  (cell: TableCell, place: number): string => {
    const shown = typeof cell === "string" ? text(cell) : cell.html;
    const named = columns[place]?.number && "number";
    return place === 0 ? element("th", { scope: "row", class: named }, shown) : element("td", { class: named }, shown);
  };
