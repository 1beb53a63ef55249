/** A program as the data of a JSON or YAML file, without what is there by default. Pure. */
import { listsIn } from "./nodes.ts";
import type { Program, ProgramNode } from "./schema.ts";

export const dataOf = ({ requirements, instructions }: Program): Record<string, unknown> => ({
  ...(requirements.length > 0 ? { requirements } : {}),
  instructions: instructions.map(nodeData),
});

export function nodeData(node: ProgramNode): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(node)) {
    if (value !== undefined && !isDefault(field, value)) data[field] = value;
  }
  for (const [path, nodes] of listsIn(node)) {
    const [field = "", index] = path;
    const inner = nodes.map(nodeData);
    if (index === undefined) data[field] = inner;
    else data[field] = Object.assign([...((data[field] as unknown[]) ?? [])], { [index]: inner });
  }
  return data;
}

const isDefault = (field: string, value: unknown): boolean =>
  (field === "kind" && value === "do") || (field === "requirements" && Array.isArray(value) && value.length === 0);
