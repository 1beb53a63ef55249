/** Writes the program: the instructions that the run will execute. */
import * as z from "zod";
import { defined } from "../core/defined.ts";
import { INSTRUCTION_BYTES, PROGRAM_INSTRUCTIONS } from "../core/limits.ts";
import { type Draft, titleOf, tooLong, type WordRange } from "../core/program/program.ts";
import { pluralize } from "../core/text/format.ts";
import { isGiven, type RawArguments, textItems } from "./lenient.ts";
import { optional } from "./shape.ts";
import { defineTool, refusal } from "./tool.ts";

const instruction = z.strictObject({
  title: z.string().min(1).describe("a few words"),
  text: z.string().min(1).describe("what is to be done, complete in itself"),
  requirements: z.array(z.string()).describe("ids of the requirements it serves"),
  words: optional(
    z
      .strictObject({ least: optional(z.number().int().min(1)), most: optional(z.number().int().min(1)) })
      .describe("for prose: how many words the text has that it writes"),
  ),
});
const requirement = z.strictObject({ id: z.string().describe("R1, R2, R2.1, …"), text: z.string().min(1) });

export const writeProgram = defineTool({
  name: "write_program",
  category: "plan",
  description: "Stores the program: the whole ordered list of instructions. A later call replaces an earlier one.",
  schema: z.strictObject({
    instructions: z.array(instruction).min(1).max(PROGRAM_INSTRUCTIONS),
    requirements: optional(
      z
        .array(requirement)
        .describe(
          "one for each single thing the task asks for that no list of it has; those listed are kept as they are",
        ),
    ),
  }),
  accept: acceptTexts,
  async run({ instructions, requirements = [] }, bench) {
    const draft: Draft = {
      instructions: instructions.map(({ words, ...one }) => ({
        ...one,
        requirements: [...new Set(one.requirements)],
        ...rangeOf(words),
      })),
      requirements,
    };
    const problems = problemsOfDraft(draft);
    if (problems.length === 0) problems.push(...[await bench.takeProgram(draft)].filter((one) => one !== undefined));
    if (problems.length > 0) return refusal(`The program was not taken.\n${problems.join("\n")}`);
    const count = pluralize(instructions.length, "instruction");
    return { ok: true, text: `The program has ${count}.`, note: { subject: count } };
  },
});

/** Absent where neither number is given. */
function rangeOf(words: WordRange | undefined) {
  const range = defined({ least: words?.least, most: words?.most });
  return Object.keys(range).length > 0 ? { words: range } : {};
}

/** Instructions as plain texts, without title or ids; requirements as `R1: text`. */
function acceptTexts(given: RawArguments): RawArguments {
  const { requirements } = given;
  return {
    ...given,
    instructions:
      Array.isArray(given.instructions) || typeof given.instructions === "string"
        ? completed(given.instructions)
        : given.instructions,
    ...(requirements !== undefined && { requirements: textItems(requirements, requirementOf) }),
  };
}

function completed(instructions: unknown): unknown {
  const list = textItems(instructions, (text) => ({ text }));
  return Array.isArray(list) ? list.map((one) => (isGiven(one) ? withDefaults(one) : one)) : list;
}

const withDefaults = (given: RawArguments): RawArguments => ({
  ...given,
  title: given.title ?? (typeof given.text === "string" ? titleOf(given.text) : undefined),
  requirements: given.requirements ?? [],
});

function requirementOf(text: string): RawArguments {
  const [, id = "", rest = ""] = /^\s*(R\d+(?:\.\d+)*)\s*[:.–-]?\s+([\s\S]*)$/.exec(text) ?? [];
  return { id, text: rest || text };
}

function problemsOfDraft({ instructions, requirements }: Draft): string[] {
  const ids = requirements.map(({ id }) => id);
  const wrong = [...ids, ...instructions.flatMap((one) => one.requirements)].filter(
    (id) => !/^R\d+(?:\.\d+)*$/.test(id),
  );
  const twice = ids.filter((id, index) => ids.indexOf(id) < index);
  const empty = numbersOf(instructions, (one) => one.text.trim() === "" || one.title.trim() === "");
  const long = numbersOf(instructions, tooLong);
  const crossed = numbersOf(
    instructions,
    ({ words }) => (words?.least ?? 0) > (words?.most ?? Number.POSITIVE_INFINITY),
  );
  return [
    ...(crossed.length > 0 ? [`\`words\` has more at least than at most: ${listed(crossed)}.`] : []),
    ...(wrong.length > 0
      ? [`These are no requirement ids: ${listed(wrong.map((id) => JSON.stringify(id)))}. An id looks like R1 or R2.3.`]
      : []),
    ...(twice.length > 0 ? [`There are two requirements of one id: ${listed(twice)}.`] : []),
    ...(empty.length > 0 ? [`Every instruction needs a title and a text; empty: ${listed(empty)}.`] : []),
    ...(long.length > 0
      ? [`An instruction has at most ${INSTRUCTION_BYTES} bytes; longer: ${listed(long)}. Split them.`]
      : []),
  ];
}

const numbersOf = <T>(list: T[], is: (item: T) => boolean): string[] =>
  list.flatMap((item, index) => (is(item) ? [`instruction ${index + 1}`] : []));

const LISTED = 20;
const listed = (items: string[]): string => {
  const distinct = [...new Set(items)];
  return distinct.length > LISTED ? `${distinct.slice(0, LISTED).join(", ")}, …` : distinct.join(", ");
};
