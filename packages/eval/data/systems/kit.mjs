/** The common part of the reference systems: routes, JSON, and people with tokens. */
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Ends a request with this status. */
export function refuse(status, message = "refused") {
  throw new Refusal(status, message);
}

class Reply {
  constructor(status, body, headers = {}) {
    Object.assign(this, { status, body, headers });
  }
}

export const reply = (status, body, headers) => new Reply(status, body, headers);

/** The answer of what has only an effect, which has happened by then. */
export const done = (_effect) => new Reply(204);

/** Keys are like `POST /links/:code`; the first that fits answers. Nothing answered: 204; POST: 201. */
export function serve(routes, people) {
  const table = Object.entries(routes).map(([key, handle]) => {
    const [method, path] = key.split(" ");
    return { method, parts: path.split("/"), handle };
  });
  createServer(async (request, response) => {
    const { status, body, headers } = await answerTo(request, { table, people });
    const isText = typeof body === "string";
    response.writeHead(status, { "content-type": isText ? "text/plain" : "application/json", ...headers });
    response.end(body === undefined ? "" : isText ? body : JSON.stringify(body));
  }).listen(Number(process.env.PORT), "127.0.0.1");
}

async function answerTo(request, { table, people }) {
  const { pathname, searchParams } = new URL(request.url, "http://127.0.0.1");
  try {
    for (const { method, parts, handle } of table) {
      const params = method === request.method ? paramsIn(parts, pathname.split("/")) : undefined;
      if (!params) continue;
      const me = () => people.byToken(request.headers.authorization) ?? refuse(401, "say who you are");
      const query = Object.fromEntries(searchParams);
      const value = await handle({ params, query, me, body: await bodyOf(request) });
      if (value instanceof Reply) return value;
      return reply(value === undefined ? 204 : method === "POST" ? 201 : 200, value);
    }
    refuse(404, "there is nothing here");
  } catch (error) {
    return reply(error.status ?? 500, { error: error.message });
  }
}

function paramsIn(parts, words) {
  const params = {};
  if (parts.length !== words.length) return undefined;
  for (const [at, part] of parts.entries()) {
    if (part.startsWith(":")) params[part.slice(1)] = decodeURIComponent(words[at]);
    else if (part !== words[at]) return undefined;
  }
  return params;
}

async function bodyOf(request) {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch {
    return refuse(400, "this is no JSON");
  }
}

/** People sign up with a name and a password, and get a token. */
export function createPeople() {
  const byName = new Map();
  const find = (name) => byName.get(name) ?? refuse(404, "there is no such person");
  return {
    find,
    byToken: (header = "") => [...byName.values()].find(({ token }) => header === `Bearer ${token}`),
    signUp({ body: { name, password } }) {
      if (!name || !password) refuse(400, "a name and a password are needed");
      if (byName.has(name)) refuse(409, "the name is taken");
      byName.set(name, { name, password, token: randomBytes(16).toString("hex") });
      return { name, token: byName.get(name).token };
    },
    logIn({ body: { name, password } }) {
      const person = byName.get(name);
      if (!person || person.password !== password) refuse(401, "name or password is wrong");
      return reply(200, { name, token: person.token });
    },
  };
}

/** Things by number, from 1. */
export function createStore() {
  const things = new Map();
  return {
    add(thing) {
      const kept = { id: things.size + 1, ...thing };
      things.set(kept.id, kept);
      return kept;
    },
    find: (id) => things.get(Number(id)) ?? refuse(404, "there is no such thing"),
    remove: (id) => things.set(Number(id), undefined),
    all: () => [...things.values()].filter((thing) => thing !== undefined),
  };
}

/** Refuses what is of another person. */
export function own(thing, person) {
  if (thing.owner !== person.name) refuse(403, "this is not yours");
  return thing;
}
