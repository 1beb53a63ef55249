/** Tokens before a call: an estimate that calibrates itself on what the provider counted, so it fits every model. */

/** Before the first answer: ordinary text has three to four bytes a token. */
const TYPICAL = 1 / 3;
/** Before the first answer, where being wrong costs money: no text that people write is denser. */
const DENSEST = 1 / 2;
/** How far above the densest request seen lately the next may be. */
const MARGIN = 1.15;
const OVERHEAD_TOKENS = 64;

export interface Calibration {
  /** Tokens per byte of request; 0 before the first answer. */
  tokensPerByte: number;
}

export const likelyTokens = (bytes: number, { tokensPerByte }: Calibration): number =>
  Math.ceil(bytes * (tokensPerByte || TYPICAL));

export const atMostTokens = (bytes: number, { tokensPerByte }: Calibration): number =>
  Math.ceil(bytes * (tokensPerByte ? tokensPerByte * MARGIN : DENSEST)) + OVERHEAD_TOKENS;

/** The highest lately seen: rises at once, falls slowly. */
export function calibrated({ tokensPerByte }: Calibration, requestBytes: number, inputTokens: number): number {
  if (requestBytes === 0 || inputTokens === 0) return tokensPerByte;
  const seen = inputTokens / requestBytes;
  return Math.max(seen, tokensPerByte * 0.9 + seen * 0.1);
}

/** What repeats itself is a few tokens, however long it is. */
export const distinctCharacters = (value: unknown): number =>
  JSON.stringify(value).replace(/(.{1,4}?)\1{3,}/gs, "$1").length;

const encoder = new TextEncoder();
export const bytesOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).length;
