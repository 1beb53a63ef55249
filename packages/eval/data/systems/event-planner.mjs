/** The reference for the event planner. */
import { createPeople, createStore, done, own, refuse, reply, serve } from "./kit.mjs";

const people = createPeople();
const events = createStore();
const tasks = createStore();
const FIELDS = ["title", "starts", "ends", "place", "capacity", "private"];

const fieldsIn = (body) => Object.fromEntries(FIELDS.filter((name) => name in body).map((name) => [name, body[name]]));
const namesWith = ({ answers }, wanted) => [...answers].filter(([, answer]) => answer === wanted).map(([name]) => name);

function shown(event) {
  const { owner, answers: _, invited: _invited, money: _money, ...rest } = event;
  const counts = Object.fromEntries(
    ["yes", "no", "maybe", "waiting"].map((each) => [each, namesWith(event, each).length]),
  );
  const mine = tasks.all().filter(({ event: id }) => id === event.id);
  const finished = mine.filter((task) => task.done).length;
  return { ...rest, organizer: owner, counts, tasks: { done: finished, total: mine.length } };
}

const isSeen = ({ owner, invited, private: isPrivate }, { name }) => !isPrivate || owner === name || invited.has(name);

/** An event that the caller may see. */
function find({ me, params }) {
  const event = events.find(params.id);
  return isSeen(event, me()) ? event : refuse(404, "there is no such event");
}

const mine = ({ me, params }) => own(events.find(params.id), me());

function checked(event) {
  if (!event.title || !(Date.parse(event.ends) > Date.parse(event.starts)))
    refuse(400, "a title, and an end after the start");
  return event;
}

function add({ me, body }) {
  const fields = checked(fieldsIn(body));
  const rest = { status: "planned", answers: new Map(), invited: new Set(), money: { planned: 0, spent: 0 } };
  return shown(events.add({ ...fields, owner: me().name, ...rest }));
}

function list({ me, query: { from, to } }) {
  const person = me();
  const at = ({ starts }) => Date.parse(starts);
  const isWithin = (event) => (!from || at(event) >= Date.parse(from)) && (!to || at(event) <= Date.parse(to));
  const found = events.all().filter((event) => isSeen(event, person) && isWithin(event));
  return found.toSorted((a, b) => at(a) - at(b)).map(shown);
}

function cancel(call) {
  const event = mine(call);
  event.status = "cancelled";
  return reply(200, shown(event));
}

function answer(call) {
  const event = find(call);
  const { name } = call.me();
  const wanted = call.body.answer;
  if (!["yes", "no", "maybe"].includes(wanted)) refuse(400, "yes, no or maybe");
  if (event.status === "cancelled") refuse(409, "the event is cancelled");
  event.answers.delete(name);
  const isFull = namesWith(event, "yes").length >= (event.capacity ?? Number.POSITIVE_INFINITY);
  const [next] = namesWith(event, "waiting");
  event.answers.set(name, wanted === "yes" && isFull ? "waiting" : wanted);
  if (wanted !== "yes" && !isFull && next !== undefined) event.answers.set(next, "yes");
  return { answer: event.answers.get(name) };
}

function spend(call) {
  const { what, amount } = call.body;
  if (!(amount > 0)) refuse(400, "an amount is above 0");
  mine(call).money.spent += amount;
  return { what, amount };
}

function budget(call) {
  const { planned, spent } = mine(call).money;
  return { planned, spent, left: planned - spent };
}

function conflicts({ me }) {
  const { name } = me();
  const planned = events.all().filter(({ owner, status }) => owner === name && status === "planned");
  const overlap = (a, b) => Date.parse(a.starts) < Date.parse(b.ends) && Date.parse(b.starts) < Date.parse(a.ends);
  return planned.flatMap((a) => planned.filter((b) => a.id < b.id && overlap(a, b)).map((b) => [a.id, b.id]));
}

serve(
  {
    "POST /organizers": people.signUp,
    "POST /events": add,
    "GET /events": list,
    "GET /events/:id": (call) => shown(find(call)),
    "PATCH /events/:id": (call) => {
      const event = mine(call);
      return shown(Object.assign(event, checked({ ...event, ...fieldsIn(call.body) })));
    },
    "POST /events/:id/cancel": cancel,
    "PUT /events/:id/answer": answer,
    "GET /events/:id/answer": (call) => ({ answer: find(call).answers.get(call.me().name) ?? null }),
    "POST /events/:id/tasks": (call) => tasks.add({ event: mine(call).id, title: call.body.title, done: false }),
    "PATCH /tasks/:id": ({ me, params, body }) => {
      const task = tasks.find(params.id);
      own(events.find(task.event), me());
      return Object.assign(task, { done: body.done === true });
    },
    "PUT /events/:id/budget": (call) => done(Object.assign(mine(call).money, { planned: call.body.planned })),
    "GET /events/:id/budget": budget,
    "POST /events/:id/expenses": spend,
    "POST /events/:id/invitations": (call) => done(mine(call).invited.add(people.find(call.body.name).name)),
    "GET /conflicts": conflicts,
  },
  people,
);
