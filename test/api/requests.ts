/** Requests made of the OpenAPI document, and of nothing in particular. */
import fc, { type Arbitrary } from "fast-check";
import type { Schema } from "./conforms.ts";

export interface Made {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

export function anyRequest(document: Schema, runId: string): Arbitrary<Made> {
  const operations = Object.entries(document.paths as Record<string, Record<string, Schema>>).flatMap(
    ([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return fc
    .constantFrom(...operations)
    .chain(({ path, method, operation }) => {
      const parameters = operation.parameters as { name: string; in: string; schema: Schema }[];
      const inQuery = parameters.filter((each) => each.in === "query");
      const inHeader = parameters.filter((each) => each.in === "header");
      const known = fc.oneof({ weight: 4, arbitrary: fc.constant(runId) }, { weight: 1, arbitrary: word });
      // The run is there for all requests after this one too.
      const id = method === "delete" ? word : known;
      const content = (operation.requestBody as Schema | undefined)?.content as Record<string, Schema> | undefined;
      const schema = content?.["application/json"]?.schema as Schema | undefined;
      return fc.record({
        method: fc.constant(method.toUpperCase()),
        path: fc.tuple(id, number, number, some(inQuery, word)).map(([run, instruction, turn, query]) => {
          const values: Record<string, string> = { id: run, instruction, turn };
          const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
            encodeURIComponent((values[name] || "x").toWellFormed()),
          );
          return `${filled}?${new URLSearchParams(query)}`;
        }),
        headers: some(inHeader, fc.stringMatching(/^[!-~]{1,20}$/)).map((headers) => ({
          ...headers,
          "content-type": "application/json",
        })),
        body: schema ? anyBody(schema, document) : fc.constant(method === "get" ? undefined : "{}"),
      });
    })
    .filter(({ path }) => !/^\/runs\/\.{1,2}(\/|\?|$)/.test(path));
}

const word = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom("..", "/etc/passwd", "\0", "1", "-1"),
);

const number = fc.oneof(fc.nat({ max: 9 }).map(String), word);

/** Some of the parameters, each fitting its schema or not. */
function some(parameters: { name: string; schema: Schema }[], odd: Arbitrary<string>) {
  const values = parameters.map(({ name, schema }) => {
    const fitting = anyValue(schema, {}).map((value) => String(value).toWellFormed());
    const safe = parameters.length > 0 && schema.type === "string" && !schema.enum ? odd : fitting;
    return fc.tuple(fc.constant(name), fc.oneof({ weight: 3, arbitrary: safe }, { weight: 1, arbitrary: odd }));
  });
  return fc
    .tuple(...values.map((value) => fc.option(value, { freq: 1 })))
    .map((pairs) => Object.fromEntries(pairs.filter((pair) => pair !== null)) as Record<string, string>);
}

const anyBody = (schema: Schema, document: Schema): Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: anyValue(schema, document).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string() },
  );

/** Mostly what the schema says; now and then something else. */
function anyValue(schema: Schema, document: Schema): Arbitrary<unknown> {
  return fc.oneof({ weight: 20, arbitrary: fitting(schema, document) }, { weight: 1, arbitrary: fc.jsonValue() });
}

function fitting(schema: Schema, document: Schema): Arbitrary<unknown> {
  const { $ref, anyOf, enum: values, type, description } = schema;
  if (typeof $ref === "string") return fitting(component(document, $ref), document);
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((each) => fitting(each, document)));
  if (Array.isArray(values)) return fc.constantFrom(...values);
  if (type === "boolean") return fc.boolean();
  if (type === "integer" || type === "number") return fc.integer({ min: 0, max: 30 });
  if (type === "array") return fc.array(anyValue(schema.items as Schema, document), { maxLength: 3 });
  // Any other model costs a look at its server.
  if (String(description).includes("rehearsal")) return fc.constant("rehearsal");
  return type === "object" ? anObject(schema, document) : fc.oneof(word, fc.constantFrom("a", "b/c.txt", "R1"));
}

function anObject(schema: Schema, document: Schema): Arbitrary<unknown> {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const required = (schema.required ?? []) as string[];
  const optional = Object.keys(properties).filter((name) => !required.includes(name) && name !== "model");
  const known = fc.subarray(optional, { maxLength: Math.min(4, optional.length) }).chain((chosen) => {
    const names = [...required, ...chosen, ...("model" in properties ? ["model"] : [])];
    return fc.record(Object.fromEntries(names.map((name) => [name, anyValue(properties[name] ?? {}, document)])));
  });
  const more = fc.tuple(known, fc.dictionary(word, fc.jsonValue())).map(([one, other]) => ({ ...one, ...other }));
  return fc.oneof({ weight: 12, arbitrary: known }, { weight: 1, arbitrary: more });
}

function component(document: Schema, ref: string): Schema {
  const { schemas } = document.components as { schemas: Record<string, Schema> };
  return schemas[ref.split("/").at(-1) ?? ""] ?? {};
}
