import { readFileSync } from "node:fs";

/** The languages that have a module of their own, in the order of the list. */
export const languages = JSON.parse(readFileSync(new URL("../languages.json", import.meta.url), "utf8"));
