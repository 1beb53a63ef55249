/** Rows of text as aligned columns. */

/** The columns named in right are aligned at their end, as amounts should be. */
export function table(rows, { right = [] } = {}) {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) => Math.max(...rows.map((row) => (row[at] ?? "").length)));
  const cell = (text, at) => (right.includes(at) ? text.padStart(widths[at]) : text.padEnd(widths[at]));
  return rows.map((row) => row.map(cell).join("  ").trimEnd()).join("\n");
}

/** A note of several lines takes one in a table. */
export const oneLine = (text) => text.replace(/\s+/g, " ").trim();
