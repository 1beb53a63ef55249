/** What each command does. A world is { folder, today, print }: where the files are, the date, where text goes. */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { budgetRows, readBudgets, setBudget } from "./budgets.js";
import { isDate, isMonth, monthOf } from "./dates.js";
import { inOrder, narrow } from "./filter.js";
import { addEntry, readLedger } from "./ledger.js";
import { formatAmount, parseAmount } from "./money.js";
import { usage } from "./problem.js";
import { totals } from "./sums.js";
import { oneLine, table } from "./table.js";

const HELP = [
  "tally add <amount> <category> [note] [--date 2026-11-05]",
  "tally list [--month 2026-11] [--category food]",
  "tally sum [--by month] [--month 2026-11] [--category food]",
  "tally budget [<category> <amount>]",
].join("\n");

const ledgerIn = (world) => join(world.folder, "ledger.csv");
const budgetsIn = (world) => join(world.folder, "budgets.json");

export const commands = {
  async add(args, world) {
    const { values, positionals } = parsed(args, ["date"]);
    const [amount, category, ...note] = positionals;
    if (!category) throw usage("add needs an amount and a category: tally add 12.50 food lunch");
    const date = values.date ?? world.today;
    if (!isDate(date)) throw usage('"' + date + '" is not a date; write it like 2026-11-05');
    const entry = { date, cents: parseAmount(amount), category: category.toLowerCase(), note: note.join(" ") };
    await addEntry(ledgerIn(world), entry);
    world.print(date + ": " + formatAmount(entry.cents) + " for " + entry.category);
  },

  async list(args, world) {
    const chosen = inOrder(await chosenEntries(args, world));
    if (chosen.length === 0) return world.print("No entries.");
    const rows = chosen.map(({ date, cents, category, note }) => [date, formatAmount(cents), category, oneLine(note)]);
    world.print(table(rows, { right: [1] }));
  },

  async sum(args, world) {
    const by = parsed(args, ["by", "month", "category"]).values.by ?? "category";
    if (by !== "category" && by !== "month") throw usage("--by is category or month");
    const rows = totals(await chosenEntries(args, world), by);
    const cells = rows.map(({ name, cents, share, bar }) => [name, formatAmount(cents), share + " %", bar]);
    world.print(table(cells, { right: [1, 2] }));
  },

  async budget(args, world) {
    const [category, amount] = parsed(args, []).positionals;
    if (category && !amount) throw usage("budget needs a category and an amount: tally budget food 300");
    if (category) await setBudget(budgetsIn(world), category.toLowerCase(), parseAmount(amount));
    const month = monthOf(world.today);
    const entries = narrow(await readLedger(ledgerIn(world)), { month });
    const rows = budgetRows(await readBudgets(budgetsIn(world)), entries);
    const cells = rows.map((row) => [row.category, formatAmount(row.left), "left of " + formatAmount(row.limit)]);
    world.print(table(cells, { right: [1] }));
  },

  async help(_args, world) {
    world.print(HELP);
  },
};

async function chosenEntries(args, world) {
  const { month, category } = parsed(args, ["by", "month", "category"]).values;
  if (month !== undefined && !isMonth(month)) throw usage('"' + month + '" is not a month; write it like 2026-11');
  return narrow(await readLedger(ledgerIn(world)), { month, category: category?.toLowerCase() });
}

function parsed(args, names) {
  const options = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw usage(error.message.split("\n")[0]);
  }
}
