/** The bodies of the journal, and all else that is JSON in the file store, parsed at the door. */
import type { z } from "zod";
import type { FileStore } from "../core/ports.ts";
import { AnswerBody, EffectsBody, type Turn } from "../core/turn.ts";
import { damaged, readStored } from "./damage.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const putJson = (files: FileStore, key: string, value: unknown): Promise<void> =>
  files.put(key, encoder.encode(JSON.stringify(value)));

export async function readJson<S extends z.ZodType>(files: FileStore, key: string, schema: S): Promise<z.infer<S>> {
  const json = parseJson(decoder.decode(await readStored(files, key)));
  if (json === undefined) throw damaged(key, "it is not JSON");
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw damaged(key, `it has another shape than was stored (${[...(issue?.path ?? []), issue?.message].join(": ")})`);
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A turn with its bodies. An answered turn has no effects yet; one that timed out has no answer. */
export interface JournalEntry {
  turn: Turn;
  answer: AnswerBody | undefined;
  effects: EffectsBody | undefined;
}

export async function readEntry(files: FileStore, turn: Turn): Promise<JournalEntry> {
  const [answer, effects] = await Promise.all([
    turn.answerKey ? readJson(files, turn.answerKey, AnswerBody) : undefined,
    turn.effectsKey ? readJson(files, turn.effectsKey, EffectsBody) : undefined,
  ]);
  return { turn, answer, effects };
}
