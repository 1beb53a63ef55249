/** Values of a parsed TOML file, which may be anything. Pure. */

export function tableAt(value: unknown, ...path: string[]): Record<string, unknown> | undefined {
  let at: unknown = value;
  for (const key of path) at = isTable(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return isTable(at) ? at : undefined;
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function textAt(value: unknown, ...path: string[]): string | undefined {
  const found = tableAt(value, ...path.slice(0, -1))?.[path.at(-1) ?? ""];
  return typeof found === "string" ? found : undefined;
}

export function listAt(value: unknown, ...path: string[]): string[] {
  const found = tableAt(value, ...path.slice(0, -1))?.[path.at(-1) ?? ""];
  return Array.isArray(found) ? found.filter((one) => typeof one === "string") : [];
}

/** The lists of a table, by name. */
export const listsAt = (value: unknown, ...path: string[]): Record<string, unknown[]> =>
  Object.fromEntries(
    Object.entries(tableAt(value, ...path) ?? {}).flatMap(([name, one]) => (Array.isArray(one) ? [[name, one]] : [])),
  );
