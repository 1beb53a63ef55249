/** The reference for the microblog. */
import { createPeople, createStore, done, own, refuse, reply, serve } from "./kit.mjs";

const people = createPeople();
const posts = createStore();
const follows = new Set();
const reposts = [];
const shown = ({ id, owner, text, likes }) => ({ id, author: owner, text, likes: likes.size });
const latestFirst = (list) => list.toSorted((a, b) => b.at - a.at);
let clock = 0;
function tick() {
  clock += 1;
  return clock;
}

function textIn({ text }) {
  if (!text || text.length > 280) refuse(400, "a post has 1 to 280 characters");
  return text;
}

const add = (owner, body) => posts.add({ owner, text: textIn(body), likes: new Set(), replies: [], at: tick() });

function find(query) {
  return latestFirst(posts.all().filter(query)).map(shown);
}

function timeline({ me }) {
  const { name } = me();
  const isShown = (who) => who === name || follows.has(`${name} ${who}`);
  const own = posts.all().filter(({ owner }) => isShown(owner));
  const again = reposts.filter(({ by }) => isShown(by));
  const entries = [
    ...own.map((post) => ({ at: post.at, view: shown(post) })),
    ...again.map(({ post, by, at }) => ({ at, view: { ...shown(post), repostedBy: by } })),
  ];
  return latestFirst(entries).map(({ view }) => view);
}

function replyTo({ me, params, body }) {
  const made = { author: me().name, text: textIn(body) };
  posts.find(params.id).replies.push(made);
  return made;
}

function profile({ params }) {
  const { name } = people.find(params.name);
  const pairs = [...follows].map((pair) => pair.split(" "));
  return {
    name,
    followers: pairs.filter(([, to]) => to === name).length,
    following: pairs.filter(([from]) => from === name).length,
    posts: posts.all().filter(({ owner }) => owner === name).length,
  };
}

const words = (text) => text.toLowerCase().split(/[^\w#@-]+/);

serve(
  {
    "POST /members": people.signUp,
    "GET /members/:name": profile,
    "POST /posts": ({ me, body }) => shown(add(me().name, body)),
    "GET /posts/:id": ({ params }) => shown(posts.find(params.id)),
    "DELETE /posts/:id": ({ me, params }) => void posts.remove(own(posts.find(params.id), me()).id),
    "PUT /posts/:id/like": ({ me, params }) => done(posts.find(params.id).likes.add(me().name)),
    "DELETE /posts/:id/like": ({ me, params }) => void posts.find(params.id).likes.delete(me().name),
    "POST /posts/:id/replies": replyTo,
    "GET /posts/:id/replies": ({ params }) => posts.find(params.id).replies,
    "POST /posts/:id/repost": ({ me, params }) =>
      reply(201, { of: reposts.push({ post: posts.find(params.id), by: me().name, at: tick() }) }),
    "PUT /follows/:name": ({ me, params }) => done(follows.add(`${me().name} ${people.find(params.name).name}`)),
    "DELETE /follows/:name": ({ me, params }) => void follows.delete(`${me().name} ${params.name}`),
    "GET /timeline": timeline,
    "GET /tags/:tag": ({ params }) => find(({ text }) => words(text).includes(`#${params.tag.toLowerCase()}`)),
    "GET /mentions": ({ me }) => {
      const name = `@${me().name.toLowerCase()}`;
      return find(({ text }) => words(text).includes(name));
    },
    "GET /search": ({ query }) => find(({ text }) => text.toLowerCase().includes(query.q.toLowerCase())),
  },
  people,
);
