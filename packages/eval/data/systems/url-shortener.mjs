/** The reference for the URL shortener. */
import { randomBytes } from "node:crypto";
import { createPeople, own, refuse, reply, serve } from "./kit.mjs";

const people = createPeople();
const links = new Map();
const find = (code) => links.get(code) ?? refuse(404, "there is no such link");
const shown = ({ code, url }) => ({ code, url });

function addressIn(url) {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  return /^https?:$/.test(address?.protocol ?? "") ? url : refuse(400, "this is no web address");
}

function add({ me, body }) {
  const owner = me().name;
  const url = addressIn(body.url);
  const code = body.code ?? randomBytes(4).toString("hex");
  if (links.has(code)) refuse(409, "the code is taken");
  const ends = body.expiresIn === undefined ? Number.POSITIVE_INFINITY : Date.now() + body.expiresIn * 1000;
  links.set(code, { code, url, owner, ends, clicks: 0 });
  return shown(links.get(code));
}

function follow({ params }) {
  const link = find(params.code);
  if (Date.now() >= link.ends) refuse(410, "the link has expired");
  link.clicks += 1;
  return reply(302, undefined, { location: link.url });
}

function change({ me, params, body }) {
  const link = own(find(params.code), me());
  link.url = addressIn(body.url);
  return shown(link);
}

function remove({ me, params }) {
  links.delete(own(find(params.code), me()).code);
}

function list({ me }) {
  const { name } = me();
  return [...links.values()].filter(({ owner }) => owner === name).map(shown);
}

serve(
  {
    "POST /signup": people.signUp,
    "POST /login": people.logIn,
    "POST /links": add,
    "GET /links": list,
    "PATCH /links/:code": change,
    "DELETE /links/:code": remove,
    "GET /links/:code/stats": ({ me, params }) => ({ clicks: own(find(params.code), me()).clicks }),
    "GET /:code": follow,
  },
  people,
);
