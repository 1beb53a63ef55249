/** Programs of all kinds with every field and hostile texts, for properties; and small ones that only have a shape. */
import fc from "fast-check";
import type { Condition } from "../../lib/core/program/language/condition.ts";
import { type Program, ProgramObject } from "../../lib/core/program/language/schema.ts";

const hostile = fc
  .array(
    fc.constantFrom(
      ...["1. one", "- two", "  - three", "", "  ", "\t", "**bold**", "# Requirements", "```", "---", "(R1)", "[R2.1]"],
      ...["()", "\r\n", "\\*", "*", "\\", "ends: ", "größe", "日本語", "\u2028", "\u00a0", "lower", "Upper", "{#id}"],
      ...[
        "{.repeat atMost=2}",
        "{.else}",
        "- {.branch}",
        "needs=a,b",
        '"',
        "'",
        "{{item}}",
        "%TAG",
        "&a *b",
        "|-",
        "@",
      ],
    ),
    { minLength: 1, maxLength: 6 },
  )
  .chain((parts) => fc.constantFrom(parts.join("\n"), parts.join(" "), parts.join("")));
const printable = (text: string): boolean => text.trim() !== "" && /\S/u.test(text.replace(/\s+/g, ""));
export const anyText = fc
  .oneof(fc.string({ unit: "grapheme", minLength: 1 }), fc.string({ unit: "binary", minLength: 1 }), hostile)
  .filter(printable);
const anyLine = anyText.map((text) => text.slice(0, 200));
const id = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,9}$/);
const requirement = fc.array(fc.nat(20), { minLength: 1, maxLength: 3 }).map((path) => `R${path.join(".")}`);
const path = fc.constantFrom("a.json", "src/größe.txt", "a b/c.md", "{{item}}.js", "*.ts", '"x"', "1", "true");
const atMost = fc.integer({ min: 1, max: 10_000 });
const json = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.parse(JSON.stringify(value).replaceAll("__proto__", "p")));

export const anyCondition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ argv: fc.array(anyLine, { minLength: 1, maxLength: 3 }) }),
  fc.record({ tests: fc.oneof(fc.constant(true as const), fc.array(anyLine, { minLength: 1, maxLength: 3 })) }),
  fc.record({ file: path, exists: fc.boolean() }),
  fc.record({ file: path, pointer: fc.constantFrom("", "/a/b~1c", "/0"), equals: json }),
  fc.record({ file: path, matches: anyLine }),
  fc.record({ requirement, proven: fc.constant(true as const) }),
);

const common = {
  id,
  title: anyText,
  needs: fc.array(id, { maxLength: 3 }),
};

/** Only what is required, or any of the rest. */
type Fields = Record<string, fc.Arbitrary<unknown>>;
const record = (kind: string | undefined, required: Fields, more: Fields = {}) =>
  fc
    .record<Record<string, unknown>>({ ...common, ...required, ...more } as Fields, {
      requiredKeys: Object.keys(required),
    })
    .map((node) => ({ ...(kind ? { kind } : {}), ...node }));

const nodes = fc.letrec((tie) => {
  const body = fc.array(tie("node"), { minLength: 1, maxLength: 3 });
  const leaf = fc.oneof(
    record(
      undefined,
      { text: anyText },
      {
        requirements: fc.array(requirement, { maxLength: 3 }),
        words: fc.oneof(fc.record({ least: atMost }), fc.record({ least: atMost, most: atMost })),
      },
    ),
    record("assert", { check: anyCondition, otherwise: fc.constantFrom("repair", "stop") }),
    record("ask", { question: anyText, saveTo: path }, { choices: fc.array(anyLine, { minLength: 2, maxLength: 3 }) }),
    record("call", { program: anyLine }, { with: fc.dictionary(fc.stringMatching(/^[a-z][A-Za-z0-9_]{0,5}$/), json) }),
  );
  const block = fc.oneof(
    record("group", { body }),
    record("call", { program: anyLine, body }),
    // biome-ignore lint/suspicious/noThenProperty: it is a list, and the language calls it so
    record("if", { condition: anyCondition, then: body }, { else: body }),
    record("for_each", {
      items: fc.oneof(
        fc.array(json, { maxLength: 3 }),
        fc.record({ glob: path }),
        fc.record({ file: path, pointer: fc.constant("/list") }, { requiredKeys: ["file"] }),
      ),
      as: fc.constantFrom("item", "x_1"),
      atMost,
      body,
    }),
    record("repeat", { until: anyCondition, atMost, body }, { otherwise: fc.constantFrom("stop", "continue") }),
  );
  return { node: fc.oneof({ maxDepth: 4, depthSize: "small" }, leaf, block) };
});

/** As it is read: in the form in which programs are kept. */
export const anyProgram: fc.Arbitrary<Program> = fc
  .record({
    instructions: fc.array(nodes.node as fc.Arbitrary<unknown>, { minLength: 1, maxLength: 4 }),
    requirements: fc.uniqueArray(fc.record({ id: requirement, text: anyText }), {
      selector: (each) => each.id,
      maxLength: 3,
    }),
  })
  .map((data) => ProgramObject.parse(data))
  .map(({ instructions, requirements = [] }) => ({
    instructions,
    requirements: requirements.map((each) => ({ ...each, text: each.text.toWellFormed().replace(/\s+/g, " ").trim() })),
  }));
