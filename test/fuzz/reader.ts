/** What reads a text that others wrote. */
import { UserError } from "../../lib/core/errors.ts";

export interface Reader {
  read(text: string): unknown;
  seeds: string[];
  /** Text that is longer is refused before it comes here. */
  most?: number;
}

/** Refused in words: that is an answer. */
export function refusing(read: () => unknown): unknown {
  try {
    const result = read();
    return result instanceof Promise ? result.catch(refused) : result;
  } catch (error) {
    return refused(error);
  }
}

function refused(error: unknown): undefined {
  const isPlain = error instanceof Error && error.constructor === Error;
  if (!(error instanceof UserError || error instanceof SyntaxError || isPlain)) throw error;
}

/** A text that its parser has no room for is unchecked. */
export function orTooDeep(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
