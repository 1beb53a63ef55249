/** Checks a value by a JSON schema, in as much of the language as our own document uses; a word that is not known here fails. */
export type Schema = Record<string, unknown>;

interface Place {
  document: Schema;
  at: string;
}

type Check = (value: unknown, rule: never, place: Place & { schema: Schema }) => string[];

const no = (at: string, text: string): string[] => [`${at}: ${text}`];
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const typeOf = (value: unknown): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
};

const checks: Record<string, Check> = {
  $ref: (value, ref: string, place) => problemsWith(value, found(place.document, ref), place),
  type: (value, type: string | string[], { at }) => {
    const is = typeOf(value);
    const fits = [type].flat().some((each) => is === each || (each === "number" && is === "integer"));
    return fits ? [] : no(at, `${is} instead of ${type}`);
  },
  properties: (value, properties: Record<string, Schema>, place) =>
    isObject(value)
      ? Object.entries(properties).flatMap(([name, schema]) =>
          Object.hasOwn(value, name) ? problemsWith(value[name], schema, { ...place, at: `${place.at}.${name}` }) : [],
        )
      : [],
  required: (value, names: string[], { at }) =>
    isObject(value) ? names.filter((name) => !Object.hasOwn(value, name)).flatMap((name) => no(at, `no ${name}`)) : [],
  additionalProperties: (value, rule: Schema | false, place) => {
    if (!isObject(value)) return [];
    const known = Object.keys((place.schema.properties as Schema) ?? {});
    const others = Object.keys(value).filter((name) => !known.includes(name));
    return others.flatMap((name) =>
      rule === false ? no(place.at, `unknown ${name}`) : problemsWith(value[name], rule, place),
    );
  },
  propertyNames: (value, rule: Schema, place) =>
    isObject(value) ? Object.keys(value).flatMap((name) => problemsWith(name, rule, place)) : [],
  items: (value, rule: Schema, place) =>
    Array.isArray(value)
      ? value.flatMap((item, index) => problemsWith(item, rule, { ...place, at: `${place.at}[${index}]` }))
      : [],
  anyOf: (value, rules: Schema[], place) => {
    const problems = rules.map((rule) => problemsWith(value, rule, place));
    return problems.some(({ length }) => length === 0) ? [] : no(place.at, `none of: ${problems.flat().join(" | ")}`);
  },
  enum: (value, values: unknown[], { at }) => (values.includes(value) ? [] : no(at, `not one of ${values}`)),
  const: (value, expected: unknown, { at }) => (value === expected ? [] : no(at, `not ${expected}`)),
  pattern: (value, pattern: string, { at }) =>
    typeof value !== "string" || new RegExp(pattern, "u").test(value) ? [] : no(at, `does not match ${pattern}`),
  minimum: (value, least: number, { at }) => (Number(value) >= least ? [] : no(at, `below ${least}`)),
  exclusiveMinimum: (value, least: number, { at }) => (Number(value) > least ? [] : no(at, `not above ${least}`)),
  maximum: (value, most: number, { at }) => (Number(value) <= most ? [] : no(at, `above ${most}`)),
  minLength: (value, least: number, { at }) => (String(value).length >= least ? [] : no(at, "too short")),
  maxLength: (value, most: number, { at }) => (String(value).length <= most ? [] : no(at, "too long")),
  minItems: (value, least: number, { at }) => ((value as unknown[]).length >= least ? [] : no(at, "too few")),
  maxItems: (value, most: number, { at }) => ((value as unknown[]).length <= most ? [] : no(at, "too many")),
  description: () => [],
  default: () => [],
};
checks.oneOf = checks.anyOf as Check;

export function problemsWith(value: unknown, schema: Schema, { document, at }: Place): string[] {
  return Object.entries(schema).flatMap(([word, rule]) => {
    const check = checks[word];
    if (!check) throw new Error(`${at}: the schema word ${word} is not known here.`);
    return check(value, rule as never, { document, at, schema });
  });
}

function found(document: Schema, ref: string): Schema {
  let at: unknown = document;
  for (const name of ref.slice(2).split("/")) at = isObject(at) ? at[name] : undefined;
  if (!isObject(at)) throw new Error(`${ref} leads nowhere.`);
  return at;
}
