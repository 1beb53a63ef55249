/** The bodies of the journal, and all else that is JSON in the file store, parsed at the door. */
import type { z } from "zod";
import type { FileStore } from "../../core/ports.ts";
import { describeIssue, placeOfUnknownWord } from "../../core/store/unknown-word.ts";
import { AnswerBody, EffectsBody, type Turn } from "../../core/turn/turn.ts";
import { sha256 } from "../files/digest.ts";
import { damaged, newer, readRequired } from "../files/verified-read.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A body as it is put, and the hash of these very bytes. */
export function bodyOf(value: unknown): { bytes: Uint8Array; hash: string } {
  const bytes = encoder.encode(JSON.stringify(value));
  return { bytes, hash: sha256(bytes) };
}

export const putJson = (files: FileStore, key: string, value: unknown): Promise<void> =>
  files.put(key, bodyOf(value).bytes);

export const readJson = <S extends z.ZodType>(files: FileStore, key: string, schema: S): Promise<z.infer<S>> =>
  readBody(files, { key }, schema);

/** Bodies that were stored before turns had hashes of them have none. */
export async function readBody<S extends z.ZodType>(
  files: FileStore,
  { key, hash }: { key: string; hash?: string | undefined },
  schema: S,
): Promise<z.infer<S>> {
  const bytes = await readRequired(files, key);
  const json = parseJson(decoder.decode(bytes));
  if (json === undefined) throw damaged(key, "it is not JSON");
  const format = formatOf(json);
  if (format !== FORMAT)
    throw newer(key, `it is of format ${JSON.stringify(format)}, and this version reads ${FORMAT}`);
  const parsed = schema.safeParse(json);
  if (!parsed.success) {
    const { issues } = parsed.error;
    const place = placeOfUnknownWord(issues, json);
    if (place !== undefined) throw newer(key, `it has a ${place} that this version does not know`);
    throw damaged(key, `it has another shape than was stored (${describeIssue(issues[0])})`);
  }
  if (hash !== undefined && sha256(bytes) !== hash) throw damaged(key, "it is not what was stored");
  return parsed.data;
}

/** A body without a format is of format 1, as all are that this version writes. */
const FORMAT = 1;

const formatOf = (json: unknown): unknown =>
  typeof json === "object" && json !== null && "format" in json ? json.format : FORMAT;

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
    turn.answerKey ? readBody(files, { key: turn.answerKey, hash: turn.answerSha256 }, AnswerBody) : undefined,
    turn.effectsKey ? readBody(files, { key: turn.effectsKey, hash: turn.effectsSha256 }, EffectsBody) : undefined,
  ]);
  return { turn, answer, effects };
}
