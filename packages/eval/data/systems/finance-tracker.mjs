/** The reference for the finance tracker. Amounts are kept in cents. */
import { createPeople, createStore, done, refuse, reply, serve } from "./kit.mjs";

const people = createPeople();
const accounts = createStore();
const entries = createStore();
const goals = createStore();
const budgets = new Map();
const cents = (amount) => Math.round(amount * 100);
const sum = (values) => values.reduce((total, value) => total + value, 0);

function mine(store, { me, id }) {
  const thing = store.find(id);
  return thing.owner === me().name ? thing : refuse(404, "there is no such thing");
}

const ofPerson = (store, { name }) => store.all().filter(({ owner }) => owner === name);
const signed = ({ kind, amount }) => (kind === "income" ? amount : -amount);
const balanceOf = (account) =>
  account.opening +
  sum(
    entries
      .all()
      .filter((entry) => entry.account === account.id)
      .map(signed),
  );

const shownAccount = (account) => ({ id: account.id, name: account.name, balance: balanceOf(account) / 100 });
const shownEntry = ({ owner: _, amount, ...entry }) => ({ ...entry, amount: amount / 100 });

function addEntry({ me, body: { account, kind, amount, category, date } }) {
  const owner = me().name;
  const { id } = mine(accounts, { me, id: account });
  if (!(amount > 0) || !["income", "expense"].includes(kind)) refuse(400, "an amount above 0, income or expense");
  return shownEntry(entries.add({ owner, account: id, kind, amount: cents(amount), category, date }));
}

function listEntries({ me, query: { category, from, to } }) {
  const fits = (entry) =>
    entry.category !== undefined &&
    (!category || entry.category === category) &&
    (!from || entry.date >= from) &&
    (!to || entry.date <= to);
  const found = ofPerson(entries, me()).filter(fits);
  return found.toSorted((a, b) => b.date.localeCompare(a.date) || b.id - a.id).map(shownEntry);
}

/** An expense of one account and an income of the other, both without a category. */
function transfer({ me, body: { from, to, amount } }) {
  const owner = me().name;
  const [source, target] = [from, to].map((id) => mine(accounts, { me, id }));
  if (!(amount > 0)) refuse(400, "an amount is above 0");
  if (balanceOf(source) < cents(amount)) refuse(409, "there is not so much");
  entries.add({ owner, account: source.id, kind: "expense", amount: cents(amount) });
  entries.add({ owner, account: target.id, kind: "income", amount: cents(amount) });
  return { amount };
}

function spentIn(person, month) {
  const spent = {};
  for (const { kind, category, date, amount } of ofPerson(entries, person))
    if (kind === "expense" && category !== undefined && date.startsWith(month))
      spent[category] = (spent[category] ?? 0) + amount;
  return spent;
}

function summary({ me, query: { month } }) {
  const spent = spentIn(me(), month);
  const earned = ofPerson(entries, me()).filter(({ kind, date }) => kind === "income" && date?.startsWith(month));
  return {
    income: sum(earned.map(({ amount }) => amount)) / 100,
    expenses: sum(Object.values(spent)) / 100,
    byCategory: Object.fromEntries(Object.entries(spent).map(([category, amount]) => [category, amount / 100])),
  };
}

function listBudgets({ me, query: { month } }) {
  const person = me();
  const spent = spentIn(person, month);
  return [...(budgets.get(person.name) ?? [])].map(([category, limit]) => {
    const used = spent[category] ?? 0;
    return { category, limit: limit / 100, spent: used / 100, left: (limit - used) / 100, isOver: used > limit };
  });
}

function setBudget({ me, params, body }) {
  const { name } = me();
  budgets.set(name, (budgets.get(name) ?? new Map()).set(params.category, cents(body.limit)));
  return done();
}

function save({ me, params, body }) {
  const goal = mine(goals, { me, id: params.id });
  goal.saved += body.amount;
  const { saved, target } = goal;
  return { saved, target, percent: Math.min(100, (saved / target) * 100) };
}

function repeat({ me, body: { day, from, until, ...entry } }) {
  let [year, month] = from.split("-").map(Number);
  const made = [];
  const two = (number) => String(number).padStart(2, "0");
  for (; `${year}-${two(month)}` <= until; month = (month % 12) + 1, year += month === 1 ? 1 : 0)
    made.push(addEntry({ me, body: { ...entry, date: `${year}-${two(month)}-${two(day)}` } }));
  return made;
}

function exportText({ me }) {
  const found = listEntries({ me, query: {} }).toReversed();
  const lines = found.map(({ date, kind, category, amount }) => [date, kind, category, amount].join(","));
  return reply(200, `${["date,kind,category,amount", ...lines].join("\n")}\n`);
}

serve(
  {
    "POST /owners": people.signUp,
    "POST /accounts": ({ me, body }) =>
      shownAccount(accounts.add({ owner: me().name, name: body.name, opening: cents(body.opening ?? 0) })),
    "GET /accounts": ({ me }) => ofPerson(accounts, me()).map(shownAccount),
    "POST /entries": addEntry,
    "GET /entries": listEntries,
    "DELETE /entries/:id": ({ me, params }) => void entries.remove(mine(entries, { me, id: params.id }).id),
    "POST /transfers": transfer,
    "GET /summary": summary,
    "PUT /budgets/:category": setBudget,
    "GET /budgets": listBudgets,
    "POST /goals": ({ me, body }) => goals.add({ owner: me().name, name: body.name, target: body.target, saved: 0 }),
    "POST /goals/:id/savings": save,
    "POST /recurring": repeat,
    "GET /export": exportText,
  },
  people,
);
