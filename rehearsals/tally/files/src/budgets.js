/** Monthly limits by category, in a JSON file: { "food": "300.00" }. */
import { writeFile } from "node:fs/promises";
import { formatAmount, parseAmount, sumAmounts } from "./money.js";
import { Problem } from "./problem.js";
import { readText } from "./text-file.js";

/** A Map from category to cents. */
export async function readBudgets(file) {
  const text = (await readText(file)) || "{}";
  try {
    return new Map(Object.entries(JSON.parse(text)).map(([category, amount]) => [category, parseAmount(String(amount))]));
  } catch (error) {
    throw new Problem("the budgets are damaged: " + error.message);
  }
}

export async function setBudget(file, category, cents) {
  const budgets = (await readBudgets(file)).set(category, cents);
  const amounts = [...budgets].map(([name, limit]) => [name, formatAmount(limit)]);
  await writeFile(file, JSON.stringify(Object.fromEntries(amounts), null, 2) + "\n");
}

/** What is left of each limit after the entries of one month. */
export const budgetRows = (budgets, entries) =>
  [...budgets].map(([category, limit]) => {
    const spent = sumAmounts(entries.filter((entry) => entry.category === category).map((entry) => entry.cents));
    return { category, limit, spent, left: limit - spent };
  });
