/** Short forms for rows of the table of known models. Pure. */
import type { Price } from "../core/turn/model-profile.ts";
import type { KnownModel } from "./model-table.ts";

/** In USD per million tokens. */
export const price = (input: number, cachedInput: number | undefined, output: number): Price => ({
  input,
  output,
  ...(cachedInput === undefined ? {} : { cachedInput }),
});

export const K = 1_000;

export const chat = (window: number, output: number, cost: Price): KnownModel => ({
  contextWindow: window,
  maxOutputTokens: output,
  price: cost,
});
