/** The window of all arms, and how texts are counted and cut to it. Pure. */
import { likelyTokens } from "../../../lib/core/turn/estimate.ts";

/** That of the paper's model. */
export const WINDOW_TOKENS = 8_192;
/** A quarter is left for the answer, as in the machine. */
export const ROOM_TOKENS = (WINDOW_TOKENS * 3) / 4;
export const SUMMARY_TOKENS = WINDOW_TOKENS / 8;

/** As the machine counts before the first answer of a server. */
export const tokensOf = (text: string): number => likelyTokens(Buffer.byteLength(text), { tokensPerByte: 0 });

/** The end of a text that fits. */
export function endOf(text: string, tokens: number): string {
  const bytes = Buffer.from(text);
  return bytes.subarray(Math.max(0, bytes.length - tokens * BYTES_PER_TOKEN)).toString();
}

/** The beginning of a text that fits. */
export const startOf = (text: string, tokens: number): string =>
  Buffer.from(text)
    .subarray(0, tokens * BYTES_PER_TOKEN)
    .toString();

const BYTES_PER_TOKEN = 3;
