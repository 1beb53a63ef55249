/** A tool's parameters as JSON schema, and the same in one line for a model that got them wrong. Pure. */
import * as z from "zod";

/** The part of JSON schema that tools use. */
export interface Shape {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  enum?: unknown[];
  anyOf?: Shape[];
  maximum?: number;
  maxItems?: number;
  maxLength?: number;
  $schema?: string;
}

/** Absent and null mean the same. */
export const optional = <T extends z.ZodType>(inner: T) => inner.nullish().transform((value) => value ?? undefined);

export const shapeOf = (schema: z.ZodObject): Shape => tidied(z.toJSONSchema(schema, { io: "input" }) as Shape);

/** `{"files": [{"path": string, "from_line"?: integer}]}` */
export function shapeText(shape: Shape): string {
  if (shape.items) return `[${shapeText(shape.items)}]`;
  if (!shape.properties) return typesOf(shape).find((type) => type !== "null") ?? "any";
  const required = new Set(shape.required);
  const properties = Object.entries(shape.properties);
  return `{${properties.map(([key, inner]) => `"${key}"${required.has(key) ? "" : "?"}: ${shapeText(inner)}`).join(", ")}}`;
}

export const typesOf = ({ type = [] }: Shape): string[] => (typeof type === "string" ? [type] : type);

/**
 * Without what only makes it longer for the model: the dialect, the largest integer, choices between X and null. Most
 * sizes are left out too: servers that turn schemas into grammars refuse or choke on large repetitions.
 */
function tidied({ $schema, anyOf, maximum, maxItems, maxLength, ...shape }: Shape): Shape {
  const choices = (anyOf ?? []).flatMap((choice) => choice.anyOf ?? [choice]);
  const [inner, ...others] = choices.filter((choice) => choice.type !== "null");
  if (inner && others.every(isPlain)) {
    const isNullable = choices.some(({ type }) => type === "null");
    return tidied({ ...shape, ...(isNullable ? nullable(inner) : inner) });
  }
  const types = typesOf(shape).filter((type) => type !== "null");
  return {
    ...shape,
    ...(types.length > 1 && { type: types[0] }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    ...(shape.items && { items: tidied(shape.items) }),
    ...(shape.properties && { properties: mapped(shape.properties, tidied) }),
  };
}

/**
 * Of several plain types the first: the chat templates of some models take a type and perhaps null, and no more. They
 * join names as text, and null is none: one of several names can only be left out.
 */
const nullable = (shape: Shape): Shape =>
  shape.enum ? shape : { ...shape, type: [...typesOf(shape).slice(0, 1), "null"] };

/** A type and nothing else. */
const isPlain = (shape: Shape): boolean => Object.keys(shape).every((key) => key === "type");

const mapped = <T, U>(record: Record<string, T>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
