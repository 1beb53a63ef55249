/** Totals by category or by month, each with its share and a bar. */
import { monthOf } from "./dates.js";
import { sumAmounts } from "./money.js";

const BAR_LENGTH = 20;

/** Categories come greatest first, months in their order. Shares are whole per cents. */
export function totals(entries, by = "category") {
  const sums = new Map();
  for (const entry of entries) {
    const name = by === "month" ? monthOf(entry.date) : entry.category;
    sums.set(name, (sums.get(name) ?? 0) + entry.cents);
  }
  const amounts = [...sums.values()];
  const all = sumAmounts(amounts);
  const greatest = Math.max(1, ...amounts);
  const rows = [...sums].map(([name, cents]) => ({
    name,
    cents,
    share: all === 0 ? 0 : Math.round((cents * 100) / all),
    bar: "#".repeat(Math.round((Math.max(0, cents) * BAR_LENGTH) / greatest)),
  }));
  return rows.sort((a, b) => (by === "month" ? a.name.localeCompare(b.name) : b.cents - a.cents));
}
