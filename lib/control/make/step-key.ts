/** The key of a step: a hash of each thing that it is asked with. */
import { taskFrame } from "../../core/make/task-frame.ts";
import type { DraftInstruction, Instruction, Requirement } from "../../core/program/program.ts";
import type { PromptPack } from "../../core/prompt/prompt.ts";
import type { Run } from "../../core/run/run.ts";
import type { StoredTask } from "../../core/run/task.ts";
import { ownOf, type StepKey } from "../../core/step/step-record.ts";
import type { Json } from "../../core/text/json.ts";
import { modelsAsked } from "../../core/turn/model-fallback.ts";
import type { ModelProfile } from "../../core/turn/model-profile.ts";
import type { Tool } from "../../core/turn/workbench.ts";
import { sha256 } from "../files/digest.ts";

export type OwnParts = Pick<StepKey, "instruction" | "requirements" | "words">;

/** What the instruction itself says. */
export function ownParts(
  { title, text, requirements, words = {} }: DraftInstruction,
  known: ReadonlyMap<string, string>,
): OwnParts {
  const served = requirements.map((id) => known.get(id) ?? id).sort();
  const { least = null, most = null } = words;
  return { instruction: hashOf([title, text]), requirements: hashOf(served), words: hashOf([least, most]) };
}

export const requirementTexts = (requirements: Requirement[]): Map<string, string> =>
  new Map(requirements.map(({ id, text }) => [id, text]));

/** The same for all instructions of a run. */
export type SharedParts = Pick<StepKey, "task" | "prompts" | "tools" | "model">;

export interface SharedContext {
  document: Pick<StoredTask, "task" | "pack">;
  requirements: Requirement[];
  tools: Tool[];
  run: Pick<Run, "profile" | "models" | "options">;
}

export function sharedParts({ document, requirements, tools, run }: SharedContext): SharedParts {
  const [profile = run.profile] = modelsAsked(run);
  return {
    task: sha256(taskFrame(document.task, requirements)),
    prompts: promptsHash(document.pack),
    tools: hashOf(tools.map(({ spec }) => [spec.name, withoutWords(spec.parameters)])),
    model: modelHash(profile, run.options.effort),
  };
}

/** The texts that an instruction is asked with. */
const promptsHash = ({ texts }: PromptPack): string => hashOf([texts.system, texts.instruction]);

const modelHash = ({ model, api }: ModelProfile, effort: Run["options"]["effort"]): string =>
  hashOf([model, api ?? "", effort ?? ""]);

/** Without its number, which is a position. */
export function handoverHash(needed: Instruction[], handover: string | undefined): string {
  if (needed.length === 0) return hashOf(["", handover ?? ""]);
  return joinHandovers(needed.map(handedOver));
}

const handedOver = ({ status, summary = "", next = "", unchecked, trap }: Instruction): string =>
  hashOf(["", status, summary, next, unchecked, trap?.detail ?? ""]);

/** Of those of several instructions, in the order in which they are named. */
export const joinHandovers = (hashes: string[]): string =>
  hashes.length === 1 ? (hashes[0] ?? "") : hashOf(["handovers", ...hashes]);

/** A schema without its descriptions: another wording asks for the same. */
function withoutWords(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutWords);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => name !== "description" || typeof value !== "string")
      .map(([name, value]) => [name, withoutWords(value)]),
  );
}

/** The same question, with the same answers to choose from, for the same file. */
export const questionHash = ({ question, choices, saveTo }: AskedQuestion): string =>
  hashOf(["ask", question, choices ?? null, saveTo ?? null]);

interface AskedQuestion {
  question: string;
  choices?: readonly string[] | undefined;
  saveTo?: string | undefined;
}

export const ownHash = (key: OwnParts & Partial<StepKey>): string => hashOf(ownOf(key as StepKey));
export const keyHash = (key: StepKey): string => hashOf(Object.entries(key).sort());

const hashOf = (value: unknown): string => sha256(JSON.stringify(value));
