/** What a call has used at most of which no count is known: by what was sent and received, and by time. Pure. */
import type { Usage } from "../ports.ts";
import type { Reservation } from "../run/budget.ts";
import type { Run } from "../run/run.ts";
import { atMostTokens } from "./estimate.ts";

export interface SentCall {
  bytes: number;
  admission: { maxOutputTokens: number; reservation: Reservation };
}

/** Of an answer, by now or when it broke off. */
export interface Received {
  bytes: number;
  /** Until the first of it was seen. The model may have thought meanwhile, or the server held back what it wrote. */
  unseenMs: number;
}

type Asked = Pick<Run, "tokensPerByte" | "tokensPerSecond">;

/** Of a model whose speed is not known yet: those that hide their thoughts write 50 to 100 tokens a second. */
const UNKNOWN_SPEED = 100;
/** A measured speed beyond this is that of a cache, or of a connection. */
const MOST_SPEED = 200;

export const tokensIn = (milliseconds: number, { tokensPerSecond }: Pick<Run, "tokensPerSecond">): number =>
  Math.ceil((Math.max(0, milliseconds) / 1_000) * Math.min(MOST_SPEED, tokensPerSecond || UNKNOWN_SPEED));

/** Never more than was reserved. */
export function usageAtMost(run: Asked, { bytes, admission }: SentCall, received: Received): Usage {
  const { maxOutputTokens, reservation } = admission;
  const seen = received.bytes === 0 ? 0 : atMostTokens(received.bytes, run);
  return {
    inputTokens: Math.min(reservation.tokens - maxOutputTokens, atMostTokens(bytes, run)),
    cachedTokens: 0,
    outputTokens: Math.min(maxOutputTokens, seen + tokensIn(received.unseenMs, run)),
  };
}
