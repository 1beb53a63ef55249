/** Reads what a model plainly meant where it wrote another form of it. What is not plain is left as it is. Pure. */
import { type Shape, typesOf } from "./shape.ts";

/** Arguments before they are checked. */
export type RawArguments = Record<string, unknown>;

/** A list in a string, one item for a list of one, a number in quotes: as the schema wants them. */
export function fitted(shape: Shape, value: unknown): unknown {
  const types = typesOf(shape);
  if (types.includes("array")) return fittedList(shape.items ?? {}, value);
  if (types.includes("integer")) return typeof value === "string" && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
  if (!types.includes("object")) return value;
  const given = fromJson(value, "{");
  return isGiven(given) ? mapGiven(given, (inner, key) => fitted(shape.properties?.[key] ?? {}, inner)) : value;
}

function fittedList(item: Shape, value: unknown): unknown {
  const given = fromJson(value, "[", "{");
  if (Array.isArray(given)) return given.map((inner) => fitted(item, inner));
  const itemTypes = typesOf(item);
  if (given === null) return null;
  const isOneItem = isGiven(given) ? itemTypes.includes("object") : itemTypes.includes(typeof given);
  return isOneItem ? [fitted(item, given)] : given;
}

/** The object or list that a string holds, where it begins as one and is one. */
function fromJson(value: unknown, ...openings: string[]): unknown {
  if (typeof value !== "string" || !openings.includes(value.trimStart().charAt(0))) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

export const isGiven = (value: unknown): value is RawArguments =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Items that are plain strings, read as the objects they stand for. */
export function textItems(list: unknown, itemOf: (text: string) => RawArguments): unknown {
  if (typeof list === "string") return [itemOf(list)];
  return Array.isArray(list) ? list.map((item) => (typeof item === "string" ? itemOf(item) : item)) : list;
}

/** `{path, …}` where `{files: [{path, …}]}` is wanted: the one item stands in place of the list. */
export const singular = (given: RawArguments, list: string, mark: string): RawArguments =>
  mark in given && !(list in given) ? { [list]: [given] } : given;

/** Another name for a parameter, where the right one is not given. */
export function renamed(given: RawArguments, from: string, to: string): RawArguments {
  if (!(from in given) || to in given) return given;
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key === from ? to : key, value]));
}

/** Own keys only, `__proto__` like any other. */
const mapGiven = (given: RawArguments, change: (value: unknown, key: string) => unknown): RawArguments =>
  Object.fromEntries(Object.entries(given).map(([key, value]) => [key, change(value, key)]));
