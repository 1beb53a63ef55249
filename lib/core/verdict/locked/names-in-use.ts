/** The names that accepted tests live by. Pure. */
import { bracesUses } from "./braces-parts.ts";
import { pythonUses } from "./python-names.ts";
import type { Part } from "./test-part.ts";
import type { Language } from "./token.ts";

export interface UsedNames {
  names: Set<string>;
  attributes: Set<string>;
}

/** Every name that the accepted file uses or makes: new code must not give it another meaning. */
export function takenIn(parts: Part[], language: Language): UsedNames {
  const taken: UsedNames = { names: new Set(), attributes: new Set() };
  const pending = [...parts];
  for (let part = pending.pop(); part; part = pending.pop()) {
    for (const name of part.binds) taken.names.add(name);
    const uses = part.kind === "import" ? undefined : language === "python" ? pythonUses(part) : bracesUses(part);
    for (const name of uses?.names ?? []) taken.names.add(name);
    for (const name of uses?.attributes ?? []) taken.attributes.add(name);
    for (const inner of part.parts ?? []) pending.push(inner);
  }
  return taken;
}
