/** JSON pointers (RFC 6901). Pure. */
import type { Json } from "./json.ts";

/** Undefined: there is no such value. */
export function valueAt(value: Json, pointer: string): Json | undefined {
  let here: Json | undefined = value;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof here !== "object" || here === null) return undefined;
    if (Array.isArray(here)) here = /^(?:0|[1-9]\d{0,8})$/.test(name) ? here[Number(name)] : undefined;
    else here = Object.hasOwn(here, name) ? here[name] : undefined;
  }
  return here;
}

/** Deeper values are read by recursion somewhere, and are not compared. */
const DEPTH = 200;

/** Whatever the order of names in objects. */
export function isSameJson(one: Json | undefined, other: Json | undefined, depth = DEPTH): boolean {
  if (depth < 0) return false;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [names, others] = [Object.keys(one), Object.keys(other)];
  const at = (value: Json, name: string): Json | undefined => (value as Record<string, Json>)[name];
  return (
    names.length === others.length &&
    names.every((name) => Object.hasOwn(other, name) && isSameJson(at(one, name), at(other, name), depth - 1))
  );
}

export function isDeeper(value: Json | undefined, depth = DEPTH): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth < 0 || Object.values(value).some((each) => isDeeper(each, depth - 1));
}
