/** Words of a newer version in stored data, distinguished from damage. Pure. */

export interface SchemaIssue {
  code: string;
  path: PropertyKey[];
  message: string;
}

/** The first place that has a word which its schema does not list. What is no word there is damage. */
export const placeOfUnknownWord = (issues: readonly SchemaIssue[], value: unknown): string | undefined =>
  issues.find(({ code, path }) => LISTED.has(code) && typeof valueAt(value, path) === "string")?.path.join(".");

/** Where the schema lists what may be there. */
const LISTED: ReadonlySet<string> = new Set(["invalid_value", "invalid_union"]);

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, name) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined),
    value,
  );

/** In words, for data that is damaged. */
export const describeIssue = (issue: SchemaIssue | undefined): string =>
  [...(issue?.path ?? []), issue?.message].join(": ");
