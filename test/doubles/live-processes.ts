/** Looks at processes that a test started, and which may end at any moment. */
import { readFileSync } from "node:fs";

/** A zombie has no command line any more, and one that ends while it is read has no file. */
export function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`).length > 0;
  } catch {
    return false;
  }
}
