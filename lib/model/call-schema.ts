/** The JSON schema that an answer is held to where tools are called without native calls. Pure. */
import type { ToolSpec } from "../core/ports.ts";
import type { Json } from "../core/text/json.ts";
import type { JsonObject } from "./loose-json.ts";
import { withoutNullTypes } from "./request-shape.ts";

/** Weak models repeat themselves until they are cut off. Servers refuse grammars with larger repetitions. */
const THOUGHTS = { type: "string", maxLength: 1_000 };
const ITEMS = 50;
const INNER_ITEMS = 20;
const ITEM_CHARS = 500;

/** A branch for each tool, with the schema of its arguments. */
export const typedCallSchema = (tools: ToolSpec[]): JsonObject => ({
  type: "object",
  anyOf: tools.map(({ name, parameters }) =>
    callSchema([name], { thoughts: THOUGHTS, args: bounded(withoutNullTypes(parameters), ITEMS) }),
  ),
});

/** With any arguments: servers differ in what a schema may say, and the tools check them afterwards. */
export const openCallSchema = (tools: ToolSpec[]): JsonObject =>
  callSchema(
    tools.map(({ name }) => name),
    { thoughts: { type: "string" }, args: { type: "object", additionalProperties: true } },
  );

const callSchema = (names: string[], { thoughts, args }: { thoughts: JsonObject; args: JsonObject }): JsonObject => ({
  type: "object",
  properties: { thoughts, tool: { type: "string", enum: names }, arguments: args },
  required: ["thoughts", "tool", "arguments"],
  additionalProperties: false,
});

type Schema = { [key: string]: Json };

/** Without descriptions, which the system message has. */
function bounded({ description: _, ...schema }: Schema, items: number): Schema {
  const { properties, items: item } = schema;
  if (isSchema(properties)) {
    const within = Object.entries(properties).map(([key, value]) => [
      key,
      isSchema(value) ? bounded(value, items) : value,
    ]);
    return { ...schema, properties: Object.fromEntries(within) };
  }
  if (!isSchema(item)) return schema;
  const text = item.type === "string" ? { maxLength: ITEM_CHARS } : {};
  return { ...schema, items: { ...bounded(item, INNER_ITEMS), ...text }, maxItems: items };
}

const isSchema = (value: Json | undefined): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
