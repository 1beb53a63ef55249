/** Every requirement in a pyproject.toml, for whatever use. The file is untrusted. Pure. */
import { parse } from "smol-toml";
import * as z from "zod";
import { poetryLines } from "./poetry.ts";

/** Every requirement that it names, of whatever group and tool. Undefined where it leaves some to others. */
export function projectDeclares(text: string): string[] | undefined {
  try {
    const parsed = parse(text);
    const { dynamic = [] } = Dynamic.parse(parsed).project;
    return dynamic.some((name) => /dependencies$/.test(name)) ? undefined : [...requirementsBelow(parsed, "", 0)];
  } catch {
    return undefined;
  }
}

const Dynamic = z.object({ project: z.object({ dynamic: z.array(z.string()).optional() }).catch({}) });
/** What tools call the lists of what they want. */
const LISTS = /dependenc|(?:^|\.)(?:requires|requirements|deps)$/i;
const POETRYS = /^tool\.poetry\..*dependencies$/;
const DEEPEST = 20;

function* requirementsBelow(value: unknown, path: string, depth: number): Generator<string> {
  if (depth > DEEPEST) throw new Error("Tables lie in tables without end.");
  if (Array.isArray(value)) {
    for (const one of value) {
      if (typeof one === "string") yield* LISTS.test(path) ? [one] : [];
      else yield* requirementsBelow(one, path, depth + 1);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [key, one] of Object.entries(value))
      if (POETRYS.test(path)) yield* [...poetryLines(key, one), ...poetryExtras(key, one)];
      else yield* requirementsBelow(one, `${path}${path === "" ? "" : "."}${key}`, depth + 1);
  }
}

const Extras = z.object({ extras: z.array(z.string()).min(1) });

function poetryExtras(name: string, wanted: unknown): string[] {
  const extras = Extras.safeParse(wanted).data?.extras;
  return extras ? [`${name}[${extras.join(",")}]`] : [];
}
