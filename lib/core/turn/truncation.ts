/** Whether a server read only a part of a request: it counted far fewer tokens than such a text has. Pure. */
import type { ChatMessage } from "../ports.ts";
import { type Calibration, distinctCharacters } from "./estimate.ts";
import { type CountedRequest, newMessages } from "./input-bound.ts";

/** Below this share of the estimate. */
const SHARE = 0.7;
/** Text is seldom sparser, and what was read before may have been denser than what is sent now. */
const TOKENS_PER_CHARACTER = 1 / 4;
/** A small difference may be the server's way of counting. */
const MISSING_TOKENS = 1_024;
/** No window is as small: who counts fewer counts something else. */
const WINDOW_TOKENS = 1_024;

export interface SentRequest {
  messages: ChatMessage[];
  /** Of the same model in the same conversation. */
  counted: CountedRequest | undefined;
}

/** How many tokens the request should have had, if it was cut off. Nothing is known before the first count. */
export function truncatedFrom(
  inputTokens: number,
  { messages, counted }: SentRequest,
  { tokensPerByte }: Calibration,
): number | undefined {
  if (tokensPerByte === 0 || inputTokens < WINDOW_TOKENS) return undefined;
  const added = counted && counted.messages.length <= messages.length ? newMessages(messages, counted) : messages;
  const isKept = counted !== undefined && messages.length - added.length === counted.messages.length;
  const perCharacter = Math.min(tokensPerByte, TOKENS_PER_CHARACTER);
  const expected = isKept
    ? counted.inputTokens + charactersOf(added) * perCharacter
    : charactersOf(messages) * perCharacter;
  const isFarBelow = inputTokens < expected * SHARE && expected - inputTokens >= MISSING_TOKENS;
  return isFarBelow ? Math.round(expected) : undefined;
}

const charactersOf = (messages: ChatMessage[]): number =>
  messages.reduce((sum, message) => sum + distinctCharacters(message), 0);
