/** The reference for the recipe platform. */
import { createPeople, createStore, done, own, refuse, reply, serve } from "./kit.mjs";

const people = createPeople();
const recipes = createStore();
const favourites = new Set();

function shown({ owner, ratings, comments: _, ...recipe }) {
  const stars = [...ratings.values()];
  const sum = stars.reduce((total, each) => total + each, 0);
  return { ...recipe, cook: owner, rating: stars.length === 0 ? null : sum / stars.length };
}

const fieldsIn = ({ title, ingredients, steps, servings, minutes, tags }) =>
  Object.fromEntries(
    Object.entries({ title, ingredients, steps, servings, minutes, tags }).filter(([, value]) => value !== undefined),
  );

function add({ me, body }) {
  const owner = me().name;
  if (!body.title || !body.ingredients?.length) refuse(400, "a recipe has a title and ingredients");
  return shown(recipes.add({ ...fieldsIn(body), owner, ratings: new Map(), comments: [] }));
}

function scaled({ params, query }) {
  const recipe = shown(recipes.find(params.id));
  if (query.servings === undefined) return recipe;
  const servings = Number(query.servings);
  const ingredients = recipe.ingredients.map((each) => ({
    ...each,
    amount: (each.amount * servings) / recipe.servings,
  }));
  return { ...recipe, servings, ingredients };
}

function search({ query: { ingredient, tag, maxMinutes } }) {
  const fits = (recipe) =>
    (ingredient === undefined || recipe.ingredients.some(({ name }) => name === ingredient)) &&
    (tag === undefined || recipe.tags?.includes(tag)) &&
    (maxMinutes === undefined || recipe.minutes <= Number(maxMinutes));
  return recipes.all().filter(fits).map(shown);
}

function rate({ me, params, body: { stars } }) {
  if (!(stars >= 1 && stars <= 5)) refuse(400, "1 to 5 stars");
  recipes.find(params.id).ratings.set(me().name, stars);
  return done();
}

function comment({ me, params, body }) {
  const made = { cook: me().name, text: body.text };
  recipes.find(params.id).comments.push(made);
  return made;
}

function shoppingList({ me, body }) {
  me();
  const amounts = new Map();
  for (const { name, unit, amount } of body.recipes.flatMap((id) => recipes.find(id).ingredients)) {
    const key = `${name} ${unit}`;
    amounts.set(key, { name, unit, amount: (amounts.get(key)?.amount ?? 0) + amount });
  }
  return reply(
    200,
    [...amounts.values()].sort((a, b) => a.name.localeCompare(b.name)),
  );
}

serve(
  {
    "POST /cooks": people.signUp,
    "POST /recipes": add,
    "GET /recipes": search,
    "GET /recipes/:id": scaled,
    "PATCH /recipes/:id": ({ me, params, body }) =>
      shown(Object.assign(own(recipes.find(params.id), me()), fieldsIn(body))),
    "DELETE /recipes/:id": ({ me, params }) => void recipes.remove(own(recipes.find(params.id), me()).id),
    "PUT /recipes/:id/rating": rate,
    "POST /recipes/:id/comments": comment,
    "GET /recipes/:id/comments": ({ params }) => recipes.find(params.id).comments,
    "PUT /favourites/:id": ({ me, params }) => done(favourites.add(`${me().name} ${recipes.find(params.id).id}`)),
    "DELETE /favourites/:id": ({ me, params }) => void favourites.delete(`${me().name} ${params.id}`),
    "GET /favourites": ({ me }) => {
      const { name } = me();
      return recipes
        .all()
        .filter(({ id }) => favourites.has(`${name} ${id}`))
        .map(shown);
    },
    "POST /shopping-list": shoppingList,
  },
  people,
);
