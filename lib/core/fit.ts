/** Makes the next request fit the context window: as it is, with stale parts dropped, or not at all. Pure. */
import { type Conversation, messagesOf } from "./conversation.ts";
import { bytesOf, type Calibration, likelyTokens } from "./estimate.ts";
import { OUTPUT_FLOOR_TOKENS } from "./limits.ts";
import type { ModelProfile } from "./model-profile.ts";
import type { ChatMessage, ToolSpec } from "./ports.ts";
import type { TurnInputs } from "./turn.ts";

type Elision = TurnInputs["elision"];

export interface Fitted {
  messages: ChatMessage[];
  bytes: number;
  inputTokens: number;
  elision: Elision;
}

/** Room that an answer should find: a quarter of a small window, 8,000 tokens of a large one. */
export const outputRoom = (profile: ModelProfile): number =>
  Math.max(OUTPUT_FLOOR_TOKENS, Math.min(8_192, profile.maxOutputTokens, Math.floor(profile.contextWindow / 4)));

export function fit(asked: {
  conversation: Conversation;
  tools: ToolSpec[];
  left: string;
  profile: ModelProfile;
  calibration: Calibration;
  elision: Elision;
  /** The server refused the last request as too long: drop something, whatever the estimate says. */
  mustShrink: boolean;
}): Fitted | undefined {
  const room = asked.profile.contextWindow - outputRoom(asked.profile);
  let refused = asked.mustShrink ? measure(asked, asked.elision).bytes : Number.POSITIVE_INFINITY;
  for (const elision of elisions(asked.conversation, asked.elision)) {
    const fitted = measure(asked, elision);
    if (fitted.inputTokens <= room && fitted.bytes < refused) return fitted;
    refused = Math.min(refused, fitted.bytes);
  }
  return undefined;
}

/** What is dropped stays dropped, so that the prefix stays stable until more must go. */
function elisions({ exchanges }: Conversation, now: Elision): Elision[] {
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

function measure(asked: Parameters<typeof fit>[0], elision: Elision): Fitted {
  const messages = messagesOf(asked.conversation, elision, asked.left);
  const bytes = bytesOf({ messages, tools: asked.tools });
  return { messages, bytes, inputTokens: likelyTokens(bytes, asked.calibration), elision };
}
