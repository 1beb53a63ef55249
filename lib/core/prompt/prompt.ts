/** A prompt pack: the texts the model works by, with what they declare. Pure: reading a folder is `local`'s. */
import * as z from "zod";
import { KiB } from "../limits.ts";
import { lintDeclaration, PackDeclaration } from "./pack-declaration.ts";
import { type TemplatePart, templateParts, templateProblems } from "./template.ts";

export { PackDeclaration } from "./pack-declaration.ts";
export { fill } from "./template.ts";

/** In the order in which a run uses them. */
export const PROMPT_NAMES = ["planner", "plan", "reflect", "system", "instruction"] as const;
/** A pack may leave them out: then its runs have no examiner. */
export const EXAMINER_PROMPTS = ["examiner", "examine"] as const;
const ALL_PROMPTS = [...PROMPT_NAMES, ...EXAMINER_PROMPTS] as const;
export type PromptName = (typeof ALL_PROMPTS)[number];

const textsOf = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, z.string()])) as Record<Name, z.ZodString>;

export const PromptPack = z.object({
  declaration: PackDeclaration,
  texts: z.object(textsOf(PROMPT_NAMES)).extend(z.object(textsOf(EXAMINER_PROMPTS)).partial().shape),
});
export type PromptPack = z.infer<typeof PromptPack>;

const textFile = (name: PromptName) => `${name}.md`;
const REQUIRED_FILES: readonly string[] = ["pack.json", ...PROMPT_NAMES.map(textFile)];
export const PACK_FILES: readonly string[] = [...REQUIRED_FILES, ...EXAMINER_PROMPTS.map(textFile)];

/** About 4,000 tokens: a longer text leaves a small window no room for the work. */
export const PROMPT_FILE_BYTES = 16 * KiB;

/** What each text is given. A required slot carries what the model cannot learn elsewhere. */
export const SLOTS: Record<PromptName, { required: readonly string[]; optional: readonly string[] }> = {
  planner: { required: [], optional: [] },
  plan: { required: ["task", "requirements", "steps", "listing"], optional: [] },
  reflect: { required: ["program", "uncovered"], optional: [] },
  system: { required: [], optional: [] },
  instruction: {
    required: ["task", "text", "listing", "handover", "note"],
    optional: ["number", "total", "title", "requirements", "evidence", "outline", "notes"],
  },
  examiner: { required: [], optional: [] },
  examine: { required: ["task", "requirements", "note"], optional: ["program", "listing"] },
};

/** From file name to text. A file that is missing is taken from `fallback`, where one is given. */
export function lintPack(
  files: Record<string, string>,
  fallback?: PromptPack,
): { pack: PromptPack } | { problems: string[] } {
  const problems = fileProblems(files, fallback);
  const source = files["pack.json"];
  const declared = source === undefined ? undefined : lintDeclaration(plain(source));
  if (declared && "problems" in declared) problems.push(...declared.problems);
  const texts: Partial<Record<PromptName, string>> = {};
  for (const name of ALL_PROMPTS) {
    const text = files[textFile(name)];
    if (text !== undefined) problems.push(...textProblems(name, plain(text)));
    const taken = text === undefined ? fallback?.texts[name] : plain(text);
    if (taken !== undefined) texts[name] = taken;
  }
  const declaration = declared && "declaration" in declared ? declared.declaration : fallback?.declaration;
  if (problems.length > 0 || !declaration) return { problems };
  return { pack: PromptPack.parse({ declaration, texts }) };
}

const plain = (text: string): string => text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");

function fileProblems(files: Record<string, string>, fallback: PromptPack | undefined): string[] {
  const names = Object.keys(files);
  if (!names.some((name) => PACK_FILES.includes(name))) {
    return [`This is no prompt pack: it has none of the files ${PACK_FILES.join(", ")}.`];
  }
  const strangers = names.filter((name) => !PACK_FILES.includes(name));
  const missing = fallback ? [] : REQUIRED_FILES.filter((name) => files[name] === undefined);
  const oversize = names.filter((name) => bytesOf(files[name] ?? "") > PROMPT_FILE_BYTES);
  return [
    ...strangers.map((name) => `${name} line 1: this is no file of a pack; its files are ${PACK_FILES.join(", ")}.`),
    ...missing.map((name) => `${name} line 1: the file is missing.`),
    ...oversize.map((name) => `${name} line 1: ${bytesOf(files[name] ?? "")} bytes; at most ${PROMPT_FILE_BYTES} fit.`),
  ];
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

function textProblems(name: PromptName, text: string): string[] {
  const file = textFile(name);
  if (text.trim() === "") return [`${file} line 1: the file is empty.`];
  const { required, optional } = SLOTS[name];
  const problems = templateProblems(text, [...required, ...optional]);
  const shown = alwaysShown(templateParts(text));
  const missing = required.filter((slot) => !shown.has(slot));
  return [
    ...problems.map((problem) => `${file} line ${problem.line}: ${problem.text}`),
    ...missing.map((slot) => `${file} line 1: {{${slot}}} is missing; it must stand outside of other slots' sections.`),
  ];
}

/** The slots that no other slot's emptiness can hide. */
function alwaysShown(parts: TemplatePart[]): Set<string> {
  const open: string[] = [];
  const shown = new Set<string>();
  for (const { kind, value } of parts) {
    if (kind === "open") open.push(value);
    else if (kind === "close") open.pop();
    else if (kind === "slot" && open.every((name) => name === value)) shown.add(value);
  }
  return shown;
}
