/** How long the next answer may be: 16,384 tokens at first, twice as many after an answer that was cut. Pure. */
import { FIRST_OUTPUT_TOKENS, OUTPUT_FLOOR_TOKENS } from "../limits.ts";
import type { ModelAnswer } from "../ports.ts";
import type { Run } from "../run/run.ts";
import { atMostTokens } from "./estimate.ts";

/** What the limit of its next answer is, before time, window and money lower it. */
const limitOf = ({ answerLimit, profile }: Pick<Run, "answerLimit" | "profile">): number =>
  Math.min(answerLimit ?? FIRST_OUTPUT_TOKENS, profile.maxOutputTokens);

type Asked = Pick<Run, "answerLimit" | "profile" | "tokensPerByte" | "tokensPerSecond">;

/** As much as the window, the model, the time left, earlier cuts and earlier timeouts allow. */
export function wantedOutput(
  run: Asked,
  { bytes, timeoutMs, halvings }: { bytes: number; timeoutMs: number; halvings: number },
): number {
  // The provider may count more tokens than estimated: its maximum stays free.
  const byWindow = Math.max(OUTPUT_FLOOR_TOKENS, run.profile.contextWindow - atMostTokens(bytes, run));
  const seconds = timeoutMs / 1_000;
  const bySpeed = run.tokensPerSecond > 0 ? Math.floor(run.tokensPerSecond * seconds) : Number.POSITIVE_INFINITY;
  const byTimeouts = limitOf(run) / 2 ** halvings;
  return Math.max(1, Math.min(Math.floor(byTimeouts), byWindow, Math.max(OUTPUT_FLOOR_TOKENS, bySpeed)));
}

/** Shorter answers measure the connection, and the wait before them. */
const SPEED_TOKENS = 500;

/** The highest lately seen, by the whole time of a call: rises at once, falls slowly. */
export function speedAfter(
  { tokensPerSecond }: Pick<Run, "tokensPerSecond">,
  { usage: { outputTokens }, milliseconds }: Pick<ModelAnswer, "usage" | "milliseconds">,
): number {
  if (milliseconds <= 0 || outputTokens < SPEED_TOKENS) return tokensPerSecond;
  const seen = outputTokens / (milliseconds / 1_000);
  return Math.max(seen, tokensPerSecond * 0.9 + seen * 0.1);
}

/** An answer that a lower limit cut, for want of time or money, says nothing about the one that was meant. */
export function limitAfter(
  run: Pick<Run, "answerLimit" | "profile">,
  { finish }: Pick<ModelAnswer, "finish">,
  maxOutputTokens: number,
): Pick<Run, "answerLimit"> {
  const doubled = Math.min(maxOutputTokens * 2, run.profile.maxOutputTokens);
  return finish === "cut" && doubled > limitOf(run) ? { answerLimit: doubled } : {};
}
