import { languages } from "./languages.js";

/** One sentence. A language that is not in the list is refused with those that are. */
export async function greeting(name, language) {
  if (!languages.includes(language)) {
    throw new RangeError(`There is no "${language}". There are ${languages.join(", ")}.`);
  }
  const { greet } = await import(`./${language}.js`);
  return greet(name);
}
