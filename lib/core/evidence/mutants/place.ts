/** A place in a function that a mutant changes. Pure. */
import type { Replacement } from "../stubs/stub-file.ts";

/** `text` comes in its place. */
export interface MutablePlace extends Replacement {
  /** From 1. */
  line: number;
  /** In place of `text`: it ends the process, which shows that the place is reached. */
  probe: string;
  /** `< became <=` */
  change: string;
}

export interface MutableFunction {
  /** Of its header: how others may call it. */
  names: ReadonlySet<string>;
  /** Of its body: what it may call. */
  words: ReadonlySet<string>;
  places: MutablePlace[];
}

/** No `catch` of the program comes between: an exception could be swallowed. */
export const PROBE_EXIT = 97;
export const PROBE_WORDS = "this place is reached";

export interface Dialect {
  /** An expression that ends the process at once, with `PROBE_EXIT`. */
  probe: string;
  /** What `return` gives back when its value is dropped. */
  nothing: string;
  /** In place of a statement. */
  noStatement: string;
  /** Words that ask something of two values, each with the one that asks the contrary. */
  negated: ReadonlyMap<string, string>;
}

const SHOWN = 40;

const shown = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN - 1)}…` : line;
};

export const wordsOfChange = (was: string, now: string): string => `${shown(was)} became ${shown(now)}`;
export const wordsOfRemoval = (was: string): string => `${shown(was)} was removed`;
