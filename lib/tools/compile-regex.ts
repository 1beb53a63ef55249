/** Regular expressions of others: RE2's, whose time grows with the text, whatever the pattern. */
import type { RE2JS } from "re2js";
import { oneLine } from "../core/text/cut.ts";

/** Loaded where something is searched: a function of AWS begins the sooner. */
export async function compileRegex(pattern: string): Promise<{ regex: RE2JS } | { problem: string }> {
  const { RE2JS } = await import("re2js");
  try {
    return { regex: RE2JS.compile(pattern) };
  } catch (error) {
    return { problem: oneLine(error instanceof Error ? error.message : String(error), 200) };
  }
}
