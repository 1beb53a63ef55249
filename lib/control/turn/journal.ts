/** The bodies of the journal, and all else that is JSON in the file store, parsed at the door. */
import type { z } from "zod";
import type { FileStore, ModelRequest } from "../../core/ports.ts";
import { describeIssue, placeOfUnknownWord } from "../../core/store/unknown-word.ts";
import type { AnswerBody, EffectsBody, Turn } from "../../core/turn/turn.ts";
import { sha256 } from "../files/digest.ts";
import { damaged, newer, readRequired } from "../files/verified-read.ts";
import { ANSWER, type BodyKind, EFFECTS, formatOfBody, ofKind, upgradeBody } from "./body-kinds.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export interface StoredBody {
  bytes: Uint8Array;
  hash: string;
}

/** A body as it is put, and the hash of these very bytes. */
export function bodyOf<S extends z.ZodType>(kind: BodyKind<S>, value: z.infer<S> & object): StoredBody {
  const bytes = encoder.encode(JSON.stringify(ofKind(kind, value)));
  return { bytes, hash: sha256(bytes) };
}

/** By which the same request is known again. */
export const requestHash = ({ messages, tools }: Pick<ModelRequest, "messages" | "tools">): string =>
  sha256(JSON.stringify({ messages, tools }));

/** For what other programs read: it has no format of ours. */
export const putJson = (files: FileStore, key: string, value: object): Promise<void> =>
  files.put(key, encoder.encode(JSON.stringify(value)));

/** Bodies that were stored before turns had hashes of them have none. */
export async function readBody<S extends z.ZodType>(
  files: FileStore,
  { key, hash }: { key: string; hash?: string | undefined },
  kind: BodyKind<S>,
): Promise<z.infer<S>> {
  const bytes = await readRequired(files, key);
  const json = parseJson(decoder.decode(bytes));
  if (json === undefined) throw damaged(key, "it is not JSON");
  const body = upgradeBody(kind, json);
  if (body === undefined)
    throw newer(key, `it is of format ${JSON.stringify(formatOfBody(json))}, and this version reads ${kind.format}`);
  const parsed = kind.schema.safeParse(body);
  if (!parsed.success) {
    const { issues } = parsed.error;
    const place = placeOfUnknownWord(issues, body);
    if (place !== undefined) throw newer(key, `it has a ${place} that this version does not know`);
    throw damaged(key, `it has another shape than was stored (${describeIssue(issues[0])})`);
  }
  if (hash !== undefined && sha256(bytes) !== hash) throw damaged(key, "it is not what was stored");
  return parsed.data;
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
    turn.answerKey ? readBody(files, { key: turn.answerKey, hash: turn.answerSha256 }, ANSWER) : undefined,
    turn.effectsKey ? readBody(files, { key: turn.effectsKey, hash: turn.effectsSha256 }, EFFECTS) : undefined,
  ]);
  return { turn, answer, effects };
}
