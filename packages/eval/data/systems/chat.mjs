/** The reference for the chat. */
import { createPeople, createStore, done, own, refuse, serve } from "./kit.mjs";

const people = createPeople();
const rooms = new Map();
const messages = createStore();
const find = (name) => rooms.get(name) ?? refuse(404, "there is no such room");

/** The room, for one who is a member. */
function within({ me, params }) {
  const room = find(params.name);
  if (!room.members.has(me().name)) refuse(403, "members only");
  return room;
}

function shown({ id, owner, text, edited, reactions }) {
  const counts = Object.fromEntries([...reactions].map(([word, names]) => [word, names.size]));
  return { id, from: owner, text, edited, reactions: counts };
}

function write(place, { me, body }) {
  if (!body.text) refuse(400, "a message has a text");
  return shown(messages.add({ ...place, owner: me().name, text: body.text, edited: false, reactions: new Map() }));
}

function open({ me, body }) {
  const { name } = me();
  if (!body.name) refuse(400, "a room has a name");
  if (rooms.has(body.name)) refuse(409, "the name is taken");
  rooms.set(body.name, {
    name: body.name,
    isPrivate: body.private === true,
    members: new Set([name]),
    read: new Map(),
  });
  return { name: body.name };
}

function list({ me }) {
  const { name } = me();
  const seen = [...rooms.values()].filter(({ isPrivate, members }) => !isPrivate || members.has(name));
  return seen.map((room) => ({ name: room.name, members: room.members.size }));
}

function join({ me, params }) {
  const room = find(params.name);
  const { name } = me();
  if (room.isPrivate) refuse(403, "by invitation only");
  room.members.add(name);
  return done();
}

const inRoom = (name) => messages.all().filter((message) => message.room === name);

function read({ me, params }) {
  const { name } = me();
  within({ me, params }).read.set(name, inRoom(params.name).at(-1)?.id ?? 0);
  return done();
}

function unread({ me }) {
  const { name } = me();
  const mine = [...rooms.values()].filter(({ members }) => members.has(name));
  const count = (room) =>
    inRoom(room.name).filter(({ id, owner }) => owner !== name && id > (room.read.get(name) ?? 0)).length;
  return Object.fromEntries(mine.map((room) => [room.name, count(room)]));
}

function react({ me, params }) {
  const { room, reactions } = messages.find(params.id);
  within({ me, params: { name: room } });
  reactions.set(params.word, (reactions.get(params.word) ?? new Set()).add(me().name));
  return done();
}

const pairOf = (one, other) => [one, other].sort().join(" ");

serve(
  {
    "POST /people": people.signUp,
    "POST /rooms": open,
    "GET /rooms": list,
    "POST /rooms/:name/join": join,
    "POST /rooms/:name/leave": (call) => done(within(call).members.delete(call.me().name)),
    "POST /rooms/:name/invite": (call) => done(within(call).members.add(people.find(call.body.name).name)),
    "GET /rooms/:name/members": (call) => [...within(call).members].sort(),
    "POST /rooms/:name/messages": (call) => write({ room: within(call).name }, call),
    "GET /rooms/:name/messages": (call) =>
      inRoom(within(call).name)
        .filter(({ id }) => id > Number(call.query.after ?? 0))
        .map(shown),
    "POST /rooms/:name/read": read,
    "GET /unread": unread,
    "POST /direct/:name": (call) => write({ pair: pairOf(call.me().name, people.find(call.params.name).name) }, call),
    "GET /direct/:name": ({ me, params }) => {
      const pair = pairOf(me().name, params.name);
      return messages
        .all()
        .filter((message) => message.pair === pair)
        .map(shown);
    },
    "PATCH /messages/:id": ({ me, params, body }) =>
      shown(Object.assign(own(messages.find(params.id), me()), { text: body.text, edited: true })),
    "DELETE /messages/:id": ({ me, params }) => void messages.remove(own(messages.find(params.id), me()).id),
    "PUT /messages/:id/reactions/:word": react,
  },
  people,
);
