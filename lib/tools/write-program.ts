/** Writes the program: the instructions that the run will execute. */
import * as z from "zod";
import { defined } from "../core/defined.ts";
import { INSTRUCTION_BYTES, PROGRAM_INSTRUCTIONS } from "../core/limits.ts";
import { type Draft, titleOf, tooLong, type WordRange } from "../core/program/program.ts";
import { pluralize } from "../core/text/format.ts";
import { isGiven, type RawArguments, textItems } from "./lenient.ts";
import { flatInstructions } from "./program/flat-instructions.ts";
import { PlannedInstruction } from "./program/instruction-shape.ts";
import { hasKinds } from "./program/nested-program.ts";
import { ofKinds } from "./program/of-kinds.ts";
import { optional } from "./shape.ts";
import { defineTool, type Outcome, refusal } from "./tool.ts";

const requirement = z.strictObject({ id: z.string().describe("R1, R2, R2.1, …"), text: z.string().min(1) });

export const writeProgram = defineTool({
  name: "write_program",
  category: "plan",
  description: "Stores the program: the whole ordered list of instructions. A later call replaces an earlier one.",
  schema: z.strictObject({
    instructions: z.array(PlannedInstruction).min(1).max(PROGRAM_INSTRUCTIONS),
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
    const drafted = hasKinds(instructions)
      ? ofKinds(instructions, requirements)
      : { draft: listDraft(instructions, requirements), notes: [] };
    const problems = "problems" in drafted ? drafted.problems : problemsOfDraft(drafted.draft);
    if ("problems" in drafted) return refusedProgram(problems);
    if (problems.length === 0)
      problems.push(...[await bench.takeProgram(drafted.draft)].filter((one) => one !== undefined));
    if (problems.length > 0) return refusedProgram(problems);
    const count = pluralize(instructions.length, "instruction");
    const text = [`The program has ${count}.`, ...drafted.notes].join("\n");
    return { ok: true, text, note: { subject: count } };
  },
});

const refusedProgram = (problems: string[]): Outcome => refusal(`The program was not taken.\n${problems.join("\n")}`);

const listDraft = (instructions: PlannedInstruction[], requirements: Draft["requirements"]): Draft => ({
  instructions: instructions.map(({ title, text, words, ...one }) => ({
    title,
    text,
    requirements: [...new Set(one.requirements)],
    ...rangeOf(words),
  })),
  requirements,
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
  const list = flatInstructions(textItems(instructions, (text) => ({ text })));
  return Array.isArray(list) ? list.map((one) => (isGiven(one) ? withDefaults(one) : one)) : list;
}

const withDefaults = (given: RawArguments): RawArguments => {
  const { kind } = given;
  const isBlock = typeof kind === "string" && kind !== "do";
  const title = given.title ?? (typeof given.text === "string" ? titleOf(given.text) : isBlock ? kind : undefined);
  // What a block does is in its fields.
  const text = isBlock && kind !== "ask" ? { text: given.text || title } : {};
  return { ...given, ...text, title, requirements: given.requirements ?? [] };
};

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
