/** Reads YAML of a package manager, as its own tools write it. Pure. */
import { parse } from "yaml";

/** The parser looks through a longer line again and again; no package manager writes one. */
const LINE_CHARS = 10_000;

/** Undefined: it is no YAML, or none that a package manager writes. */
export function readYaml(text: string): unknown {
  if (text.split("\n").some(({ length }) => length > LINE_CHARS)) return undefined;
  try {
    return parse(text, { maxAliasCount: 0, uniqueKeys: false });
  } catch {
    return undefined;
  }
}
