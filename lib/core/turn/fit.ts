/** Makes the next request fit the context window: as it is, with stale parts dropped, or not at all. Pure. */
import { COSTLY_TOKENS, OUTPUT_FLOOR_TOKENS } from "../limits.ts";
import type { ChatMessage, ToolSpec } from "../ports.ts";
import { type Conversation, messagesOf } from "./conversation.ts";
import { atMostTokens, bytesOf, type Calibration, likelyTokens } from "./estimate.ts";
import type { ModelProfile } from "./model-profile.ts";
import type { TurnInputs } from "./turn.ts";

type Elision = TurnInputs["elision"];

export interface RequestFit {
  messages: ChatMessage[];
  bytes: number;
  inputTokens: number;
  elision: Elision;
}

/** Room that an answer should find: a quarter of a small window, 8,000 tokens of a large one. */
export const outputRoom = (profile: ModelProfile): number =>
  Math.max(OUTPUT_FLOOR_TOKENS, Math.min(8_192, profile.maxOutputTokens, Math.floor(profile.contextWindow / 4)));

export interface RequestParts {
  conversation: Conversation;
  tools: ToolSpec[];
  left: string;
  calibration: Calibration;
  elision: Elision;
}

export interface FitInput extends RequestParts {
  profile: ModelProfile;
  /** The server refused the last request as too long: drop something, whatever the estimate says. */
  mustShrink: boolean;
}

export function fit(asked: FitInput): RequestFit | undefined {
  const room = asked.profile.contextWindow - outputRoom(asked.profile);
  let refused = asked.mustShrink ? measure(asked).bytes : Number.POSITIVE_INFINITY;
  const [now, stale, ...more] = elisions(asked.conversation, asked.elision);
  for (const elision of isWorthDropping(asked, stale) ? [stale, ...more] : [now, stale, ...more]) {
    const fitted = measure({ ...asked, elision });
    if (plannedTokens(fitted, asked) <= room && fitted.bytes < refused) return fitted;
    refused = Math.min(refused, fitted.bytes);
  }
  return undefined;
}

/**
 * The answer's limit is what the request leaves at most: near the end of a window it would shrink to nothing useful.
 * Where a conversation only begins, nothing can be dropped instead.
 */
const plannedTokens = ({ bytes, inputTokens }: RequestFit, { conversation, calibration }: RequestParts): number =>
  calibration.tokensPerByte > 0 && conversation.exchanges.length > 0 ? atMostTokens(bytes, calibration) : inputTokens;

/** Below this share, reading the rest into the cache again costs more than what is dropped. */
const WORTH_SHARE = 0.2;

/** Of a request that is paid for turn by turn. */
function isWorthDropping(asked: FitInput, stale: Elision): boolean {
  const whole = measure(asked);
  if (whole.inputTokens <= COSTLY_TOKENS) return false;
  return measure({ ...asked, elision: stale }).bytes <= whole.bytes * (1 - WORTH_SHARE);
}

/** What is dropped stays dropped, so that the prefix stays stable until more must go. */
function elisions({ exchanges }: Conversation, now: Elision): [Elision, Elision, ...Elision[]] {
  const last = exchanges.at(-1)?.turn ?? 0;
  const beforeLast = exchanges.at(-2)?.turn ?? last;
  return [
    now,
    { ...now, views: last },
    { views: last, contents: beforeLast },
    { views: last, contents: last },
    { views: last + 1, contents: last + 1 },
  ];
}

/** The request with just this elision, whether it fits or not. */
export function measure({ conversation, tools, left, calibration, elision }: RequestParts): RequestFit {
  const messages = messagesOf(conversation, elision, left);
  const bytes = bytesOf({ messages, tools });
  return { messages, bytes, inputTokens: likelyTokens(bytes, calibration), elision };
}
