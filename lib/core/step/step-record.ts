/** What an accepted step depended on and what it wrote: a later run whose step depends on the same can take it over. */
import * as z from "zod";

/**
 * A hash of each thing that a step was asked with. None of them holds a position: an instruction that moves keeps its key.
 * What a command saw is not here: a step that ran one is taken over as it was on an equal tree alone.
 */
export const StepKey = z.object({
  /** Title and text. */
  instruction: z.string(),
  /** The texts of those that it serves. */
  requirements: z.string(),
  words: z.string(),
  /** What the task says beside its requirements. */
  task: z.string(),
  prompts: z.string(),
  /** Names and schemas. */
  tools: z.string(),
  /** Name, protocol and effort. */
  model: z.string(),
  handover: z.string(),
});
export type StepKey = z.infer<typeof StepKey>;

const sha256 = z.string();
const FileReading = z.object({ kind: z.literal("file"), path: z.string(), sha256: sha256.nullable() });
const list = {
  kind: z.literal("list"),
  prefix: z.string().optional(),
  after: z.string().optional(),
  limit: z.int(),
  /** Of the paths. */
  hash: sha256,
  /** Of all that was shown of each file. Absent: an earlier version wrote it down. */
  shown: sha256.optional(),
};
const search = { kind: z.literal("search"), pattern: z.string(), glob: z.string().optional(), hash: sha256 };

/** What the model was shown in a turn. `own`: paths that the turn had changed by then; they are left out of the hash. */
export const TurnReading = z.discriminatedUnion("kind", [
  FileReading,
  z.object({ ...list, own: z.array(z.string()) }),
  z.object({ ...search, own: z.array(z.string()) }),
]);
export type TurnReading = z.infer<typeof TurnReading>;

/** The same of a step. `own`: so many of the paths that it touched, from the first on. */
export const StepReading = z.discriminatedUnion("kind", [
  FileReading,
  z.object({ ...list, own: z.int() }),
  z.object({ ...search, own: z.int() }),
]);
export type StepReading = z.infer<typeof StepReading>;

/** `sha256: null`: deleted. `was`: what the step found there. */
export const StepWrite = z.object({ path: z.string(), sha256: sha256.nullable(), was: sha256.nullable() });
export type StepWrite = z.infer<typeof StepWrite>;

export const StepRecord = z.object({
  key: StepKey,
  /** In the order in which they were first changed; also those that were put back. */
  touched: z.array(z.string()),
  writes: z.array(StepWrite),
  readings: z.array(StepReading),
  /** It ran a command, which may have read any file. Absent: an earlier version recorded it, and it may have. */
  ran: z.boolean().optional(),
  /** Names the tree that it found. Only where it ran checks or a command. */
  base: sha256.optional(),
  /** Names the paths that its prompt listed, without those that it touched. An earlier version wrote it inside calls. */
  listed: sha256.optional(),
});
export type StepRecord = z.infer<typeof StepRecord>;

/** In the instruction's item; the record is in the file store. */
export const StepReference = z.object({ key: z.string(), body: z.string(), sha256 });
export type StepReference = z.infer<typeof StepReference>;

/** The parts of a key that are the instruction itself. */
const OWN = ["instruction", "requirements", "words"] as const;
export const ownOf = ({ instruction, requirements, words }: StepKey): string[] => [instruction, requirements, words];

export type KeyPart = keyof StepKey;

export const differingParts = (one: StepKey, other: StepKey): KeyPart[] =>
  (Object.keys(StepKey.shape) as KeyPart[]).filter((part) => one[part] !== other[part]);

export const isOwnPart = (part: KeyPart): boolean => OWN.some((own) => own === part);
