/** Dates and months as text, in the form in which they also sort. */

/** 2026-11-05, and a day that the calendar has. */
export function isDate(text) {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(text + "T00:00:00Z");
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** 2026-11 */
export const isMonth = (text) => isDate(text + "-01");

export const monthOf = (date) => date.slice(0, 7);
