/** The first message of a conversation, while planning and in an instruction. Pure. */
import { extractConstraints } from "../../core/program/constraints.ts";
import type { Draft, Instruction, Requirement } from "../../core/program/program.ts";
import { renderProgramMarkdown } from "../../core/program/program-text.ts";
import { fill } from "../../core/prompt/prompt.ts";
import type { StoredTask } from "../../core/run/task.ts";
import { ellipsis } from "../../core/text/cut.ts";
import type { StuckReason } from "../../core/turn/stuck.ts";
import type { TurnInputs } from "../../core/turn/turn.ts";
import { givenWords } from "../../core/verdict/gate-words.ts";
import type { GivenCount } from "../../core/verdict/given-tests.ts";
import type { KnownRed } from "../../core/verdict/known-red.ts";
import { knownRedLines } from "../../core/verdict/known-red-words.ts";
import { type ExaminedRequirement, examinedLines } from "./examined-lines.ts";

type Opening = NonNullable<TurnInputs["opening"]>;

export interface PromptContext {
  document: StoredTask;
  opening: Opening;
  /** Absent while planning. */
  instruction?: Instruction;
  total: string;
  /** The instructions whose results this one uses, in their order: their hand-overs. */
  needed?: Instruction[];
  requirements: Requirement[];
  /** Each of them is to be proven. */
  isProving?: boolean;
  /** Strictly: the tests must notice small changes of the code. */
  isStrict?: boolean;
  /** What of the tree that the run started from is still red. */
  knownRed?: KnownRed;
  /** Results of the user's tests on the last accepted tree. */
  givenTests?: GivenCount;
  steps?: number;
  /** The checks of the examiner, by requirement. Absent: there is no examiner. */
  examined?: readonly ExaminedRequirement[];
  /** For the examiner: the program with its interfaces. Absent: the conversation is another one. */
  examines?: { program: Draft };
  /** The instruction is stuck, and is to be replaced by at most so many. */
  split?: { why: string; most: number };
}

/** The environment is here, because all conversations of a run begin with the same text. */
export function systemMessage({ document, instruction, split, opening, examines }: PromptContext): string {
  const { texts } = document.pack;
  const text = examines ? (texts.examiner ?? "") : instruction && !split ? texts.system : texts.planner;
  const asked = opening.asksThoughts ? `${text.trimEnd()}\n\n${THOUGHTS}\n` : text;
  return opening.environment ? `${asked.trimEnd()}\n\n# Environment\n\n${opening.environment}\n` : asked;
}

const THOUGHTS = "Before the calls of each answer, write one sentence: what you do next, and why.";

export function firstMessage(context: PromptContext): string {
  const { hint } = context.opening;
  const text = withoutHint(context);
  return hint === undefined ? text : `${text.trimEnd()}\n\n# Help from the user\n\n${hint}\n`;
}

function withoutHint(context: PromptContext): string {
  const { instruction, split, examines } = context;
  if (examines) return examineText(context, examines);
  if (!instruction) return planText(context);
  return split ? splitText(context, instruction, split) : instructionText(context, instruction);
}

function instructionText(context: PromptContext, instruction: Instruction): string {
  const { document, opening, total, needed = [], requirements } = context;
  const served = requirements.filter(({ id }) => instruction.requirements.includes(id));
  return fill(document.pack.texts.instruction, {
    task: document.task,
    number: String(instruction.number),
    total,
    title: instruction.title,
    text: instruction.text,
    requirements: [withStrictness(served, context), ...(served.length > 0 ? constraintLines(context) : [])].join(
      "\n\n",
    ),
    evidence: context.isProving ? "asked for" : "",
    listing: listingOf(context),
    handover: needed.length > 0 ? handOvers(needed) : (handoverFor(document, instruction) ?? ""),
    note: opening.note,
    outline: opening.outline ?? "",
    notes: opening.notes ?? "",
  });
}

/** What may be proven beside each requirement. */
function constraintLines({ isProving, examined, document }: PromptContext): string[] {
  const constraints = isProving || examined ? extractConstraints(document.task) : [];
  const how = document.pack.declaration.checks.prose ? IN_TEXT : IN_CODE;
  return constraints.length > 0 ? [`${CONSTRAINTS} ${how}\n\n${listed(constraints)}`] : [];
}

const CONSTRAINTS =
  "The task also limits how it is done. Where one of these can be checked, call prove with its id once it can be:";
const IN_CODE = "a test or a command must be green.";
const IN_TEXT = "a passage, a count or links of the text must hold.";

const withStrictness = (requirements: Requirement[], { isStrict }: PromptContext): string =>
  requirements.length > 0 && isStrict ? `${listed(requirements)}\n\n${STRICTLY}` : listed(requirements);

const STRICTLY =
  "They are proven strictly: once the code is there, the tests also run on up to 8 copies of it with one small change each (a comparison, an operator, a constant, a returned value, a statement that is gone), and 60 % of the copies must turn them red. Assert on exact results, boundaries and both outcomes of each condition.";

function examineText(context: PromptContext, { program }: { program: Draft }): string {
  const { document, opening, requirements } = context;
  return fill(document.pack.texts.examine ?? "", {
    task: document.task,
    requirements: withStrictness(requirements, context),
    program: inItsOwnSections(renderProgramMarkdown({ ...program, requirements: [] })).trimEnd(),
    listing: opening.listing,
    note: opening.note,
  });
}

function splitText(
  { document, opening, total, requirements }: PromptContext,
  { number, title, text, requirements: served }: Instruction,
  { why, most }: { why: string; most: number },
): string {
  const ids = served.length > 0 ? [`It serves ${served.join(", ")}.`, ""] : [];
  return [
    `Splitting instruction ${number}, which is stuck`,
    ...["", "# Task", "", document.task, "", "# The program", "", opening.outline ?? `It has ${total} instructions.`],
    ...["", `# Instruction ${number}`, "", title, "", text, "", ...ids, "# What happened", "", `${why}.`, ""],
    ...[opening.note, "", "# Files", "", opening.listing, "", "# Answer", ""],
    `Call write_program with 2 to ${most} smaller instructions that replace this one, in order. They begin with the files as they are now and together bring all that it asks for. Take another way where this one failed, and name in the text what blocked it. Use only the requirement ids ${requirements.length > 0 ? "that the program has" : "[]"}.`,
  ].join("\n");
}

function planText(context: PromptContext): string {
  const { document, steps, opening } = context;
  const text = fill(document.pack.texts.plan, {
    task: document.task,
    requirements: listed(document.requirements),
    steps: steps === undefined ? "" : String(steps),
    listing: listingOf(context),
  });
  const planned = opening.unchecked ? `${text}\n\n# Languages\n\n${opening.unchecked}\n\n${UNCHECKED}` : text;
  return opening.revision ? `${planned.trimEnd()}\n\n${revisionText(opening.revision)}` : planned;
}

function revisionText({ program, feedback }: NonNullable<Opening["revision"]>): string {
  const parts = [
    `# The program so far\n\n${inItsOwnSections(renderProgramMarkdown(program)).trimEnd()}`,
    `# What the user wants changed\n\n${feedback}`,
    "Call write_program with the whole program, changed as the user asks. Keep what the user does not speak of.",
  ];
  return parts.join("\n\n");
}

/** Its headings lie below that of the prompt. */
const inItsOwnSections = (markdown: string): string => markdown.replace(/^# (Requirements|Program)$/gm, "## $1");

const UNCHECKED = "Unless the task demands such a language, plan in one that can be checked.";

function listingOf(context: PromptContext): string {
  const { knownRed } = context;
  const { examined = [], instruction } = context;
  const listing = [withGivenTests(context), ...examinedLines(examined, instruction)].join("\n");
  return knownRed ? [listing, "", ...knownRedLines(knownRed)].join("\n") : listing;
}

function withGivenTests({ opening: { listing }, document: { tests = [] }, givenTests }: PromptContext): string {
  if (tests.length === 0) return listing;
  const more = tests.length > TESTS_NAMED ? [`… and ${tests.length - TESTS_NAMED} more`] : [];
  const soFar = givenTests ? ` ${givenWords(givenTests)} so far.` : "";
  return [listing, "", `${GIVEN}${soFar}`, ...tests.slice(0, TESTS_NAMED), ...more].join("\n");
}

const TESTS_NAMED = 40;
const GIVEN =
  "These are tests that the user gave, and nobody can change them. They may fail until the code that they are about is there; all of them must pass when the last instruction is done.";

const listed = (requirements: Requirement[]): string => requirements.map(({ id, text }) => `${id}: ${text}`).join("\n");

/** All of them together. */
const HANDOVER_CHARS = 12_000;

/** What was done before the program is for its first step, unless that needs nothing. */
export const handoverFor = (
  { handover }: Pick<StoredTask, "handover">,
  { number, needs }: Pick<Instruction, "number" | "needs">,
): string | undefined => (number === 1 && needs?.length !== 0 ? handover : undefined);

/** What the needed instructions hand over: where that is too much, of the first ones only that they are done. */
export function handOvers(needed: Instruction[]): string {
  let left = HANDOVER_CHARS;
  const texts = needed.toReversed().map((each, index) => {
    const text = handOver(each);
    if (index > 0 && text.length > left) return undefined;
    left -= text.length;
    return text;
  });
  const isShown = texts.toReversed();
  const named = needed.filter((_, index) => isShown[index] === undefined);
  const lines = named.slice(0, NAMED).map(nameLine);
  const more = named.length > NAMED ? [`and ${named.length - NAMED} more.`] : [];
  return [...lines, ...more, ...isShown.filter((text) => text !== undefined)].join("\n\n");
}

const nameLine = ({ number, title, status }: Instruction): string =>
  `Instruction ${number} (${ellipsis(title, TITLE_CHARS)}): ${status}.`;

/** Of those whose reports do not fit. */
const NAMED = 50;
const TITLE_CHARS = 80;

/** What an instruction hands over to the next one. */
export function handOver({
  number,
  kind,
  text,
  saveTo,
  summary = "",
  next,
  unchecked,
  status,
  trap,
}: Instruction): string {
  if (kind === "ask")
    return `Instruction ${number} asked the user: ${text}\nThe user's answer, which is in ${saveTo}. It is data for the work: ${summary}`;
  if (status === "skipped") return `${skippedWords(number, trap)}${summary === "" ? "" : `\n${summary}`}`;
  const advice = next ? `\nAdvice for this instruction: ${next}` : "";
  const open = unchecked.length > 0 ? `\nIt was accepted unchecked: ${unchecked.join("; ")}.` : "";
  return `Instruction ${number} reported: ${summary}${advice}${open}`;
}

const skippedWords = (number: number, trap: StuckReason | undefined): string =>
  `Instruction ${number} was skipped, because it could not be completed${trap ? ` (${trap.detail})` : ""}. All that it had changed was taken back: nothing of it is there, so do not build on it.`;
