/** Instructions as the language writes them, bodies inside blocks, laid out as the flat list that the schema takes. Pure. */
import { isGiven, type RawArguments } from "../lenient.ts";

/** Ids that no model gives: of blocks that have none of their own. */
const OWN = "/";
export const isOwnId = (id: string): boolean => id.startsWith(OWN);

const BODIES = ["body", "then", "else"] as const;

/** `instructions` that are no list stay what they are. */
export function flatInstructions(instructions: unknown): unknown {
  if (!Array.isArray(instructions)) return instructions;
  const flat: unknown[] = [];
  const pending: unknown[] = instructions.toReversed();
  while (pending.length > 0) {
    const one = pending.pop();
    if (!isGiven(one)) {
      flat.push(one);
      continue;
    }
    const { own, inner } = opened(one, flat.length);
    flat.push(own);
    pending.push(...inner.reverse());
  }
  return flat;
}

/** The block without its bodies, and what they hold. */
function opened(given: RawArguments, number: number): { own: RawArguments; inner: unknown[] } {
  const bodies = BODIES.filter((field) => Array.isArray(given[field]));
  const renamed = inOwnTerms(given);
  if (bodies.length === 0) return { own: renamed, inner: [] };
  const id = typeof given.id === "string" && given.id !== "" ? given.id : `${OWN}${number}`;
  const { body: _body, then: _then, else: _else, ...own } = renamed;
  const inner = bodies.flatMap((field) =>
    (given[field] as unknown[]).map((one) => ({
      ...(isGiven(one) ? one : { text: one }),
      inside: id,
      ...(field === "else" ? { branch: "else" } : {}),
    })),
  );
  return { own: { ...own, id }, inner };
}

/** The names that the language has for conditions and questions, and its forms of lists. */
function inOwnTerms(given: RawArguments): RawArguments {
  const { kind, until, check, question, items, condition = until ?? check, ...rest } = given;
  return {
    ...rest,
    ...(typeof kind === "string" ? { kind: kindOf(kind) } : kind === undefined ? {} : { kind }),
    ...(question !== undefined && given.text === undefined ? { text: question } : {}),
    ...(condition === undefined ? {} : { condition: isGiven(condition) ? withAllTests(condition) : condition }),
    ...(items === undefined ? {} : { items: Array.isArray(items) ? { list: items } : items }),
  };
}

const withAllTests = (condition: RawArguments): RawArguments =>
  condition.tests === true ? { ...condition, tests: [] } : condition;

/** `forEach`, `for-each` and `foreach` are plain enough. */
function kindOf(kind: string): string {
  const plain = kind
    .trim()
    .replace(/[a-z](?=[A-Z])/g, "$&_")
    .toLowerCase()
    .replace(/[- ]/g, "_");
  return plain === "foreach" ? "for_each" : plain;
}
