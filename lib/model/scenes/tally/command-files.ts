/** The files of part 6 of tally: the command itself. */
import { source } from "../source.ts";

export const commandsModule = source`
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
`;

export const main = source`
/** Finds the command, runs it, and turns what the user can put right into one line and an exit code. */
import { commands } from "./commands.js";
import { Problem, usage } from "./problem.js";

export async function main([name = "help", ...args], world) {
  try {
    if (!Object.hasOwn(commands, name)) throw usage('there is no command "' + name + '"; tally help shows all');
    await commands[name](args, world);
    return 0;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    world.complain("tally: " + error.message);
    return error.exitCode;
  }
}
`;

export const bin = source`
#!/usr/bin/env node
import { main } from "../src/main.js";

process.exitCode = await main(process.argv.slice(2), {
  folder: process.env.TALLY_HOME ?? process.cwd(),
  // Swedish dates are written year-month-day, in the time zone of whoever spends the money.
  today: new Date().toLocaleDateString("sv-SE"),
  print: (text) => console.log(text),
  complain: (text) => console.error(text),
});
`;

export const commandTest = source`
import assert from "node:assert/strict";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { main } from "../src/main.js";

async function shell() {
  const folder = await mkdtemp(join(tmpdir(), "tally-"));
  return async (...args) => {
    const said = [];
    const say = (text) => said.push(text);
    const code = await main(args, { folder, today: "2026-11-05", print: say, complain: say });
    return { code, text: said.join("\n"), folder };
  };
}

test("what is added is listed, and its note may hold anything", async () => {
  const tally = await shell();
  assert.equal((await tally("add", "12,50", "Food", "soup,", "bread")).text, "2026-11-05: 12.50 for food");
  await tally("add", "700", "rent", "--date", "2026-11-01");
  assert.equal((await tally("list")).text, "2026-11-01  700.00  rent\n2026-11-05   12.50  food  soup, bread");
  assert.equal((await tally("list", "--category", "RENT")).text, "2026-11-01  700.00  rent");
});

test("an empty list says so", async () => {
  const tally = await shell();
  assert.deepEqual((await tally("list", "--month", "2026-11")).text, "No entries.");
});

test("sums show share and bar", async () => {
  const tally = await shell();
  await tally("add", "30", "food");
  await tally("add", "90", "rent", "--date", "2026-10-01");
  assert.equal((await tally("sum")).text, "rent  90.00  75 %  ####################\nfood  30.00  25 %  #######");
  assert.match((await tally("sum", "--by", "month")).text, /^2026-10 .*\n2026-11 /);
});

test("a budget shows what is left of this month", async () => {
  const tally = await shell();
  await tally("add", "30", "food");
  await tally("add", "99", "food", "--date", "2026-10-31");
  assert.equal((await tally("budget", "food", "300")).text, "food  270.00  left of 300.00");
});

test("a mistyped command ends with 2 and one line", async () => {
  const tally = await shell();
  const wrong = [["spend"], ["constructor"], ["add", "ten", "food"], ["add", "1"], ["list", "--year", "2026"]];
  for (const args of [...wrong, ["list", "--month", "11"], ["sum", "--by", "day"], ["budget", "food"]]) {
    const { code, text } = await tally(...args);
    assert.equal(code, 2, args.join(" "));
    assert.match(text, /^tally: [^\n]+$/);
  }
});

test("a damaged ledger ends with 1 and names the line", async () => {
  const tally = await shell();
  const { folder } = await tally("help");
  await writeFile(join(folder, "ledger.csv"), "date,amount,category,note\nyesterday,1.00,food,\n");
  assert.deepEqual(await tally("list"), { code: 1, text: 'tally: line 2: "yesterday" is not a date', folder });
});
`;
