/** Which entries are looked at, and in which order. */
import { monthOf } from "./dates.js";

/** Absent wishes narrow nothing. */
export const narrow = (entries, { month, category } = {}) =>
  entries.filter(
    (entry) =>
      (month === undefined || monthOf(entry.date) === month) &&
      (category === undefined || entry.category === category),
  );

/** Oldest first; entries of one day stay in the order in which they were added. */
export const inOrder = (entries) => entries.toSorted((a, b) => a.date.localeCompare(b.date));
