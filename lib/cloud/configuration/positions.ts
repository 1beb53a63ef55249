/** Where the fields of a JSON text are. Pure. */
import { type Document, isMap, isScalar, LineCounter, parseDocument } from "yaml";
import type { Problem } from "../config-problems.ts";

/** JSON is YAML, and a YAML document knows its positions. */
function read(text: string): { document: Document; lines: LineCounter } {
  const lines = new LineCounter();
  return { document: parseDocument(text, { lineCounter: lines }), lines };
}

/** The line of the field, or of the last part of its path that is there. Undefined: the text does not have it. */
export function lineIn(text: string, path: readonly PropertyKey[]): number | undefined {
  const { document, lines } = read(text);
  for (let length = path.length; length > 0; length -= 1) {
    const parent: unknown = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const offset = offsetOf(parent, path[length - 1]);
    if (offset !== undefined) return lines.linePos(offset).line;
  }
  return undefined;
}

/** Of the field's name; of an element of a list. */
function offsetOf(parent: unknown, name: PropertyKey | undefined): number | undefined {
  if (isMap(parent)) {
    const key = parent.items.find(({ key }) => isScalar(key) && key.value === name)?.key;
    return isScalar(key) ? key.range?.[0] : undefined;
  }
  const element = typeof name === "number" ? Object(parent).items?.[name] : undefined;
  return Array.isArray(element?.range) ? element.range[0] : undefined;
}

/** JSON.parse takes the last of fields that have the same name, without a word. */
export function duplicatesIn(text: string): Problem[] {
  const { document, lines } = read(text);
  return document.errors
    .filter(({ code }) => code === "DUPLICATE_KEY")
    .map(({ pos: [offset] }) => ({
      path: [],
      says: `line ${lines.linePos(offset).line}: a field is there twice; remove one of them.`,
    }));
}
