/** What was found in looking at one thing. `missing` keeps what was asked for from working; `note` is worth knowing. */
import type { Remedy } from "../core/errors.ts";

export interface Finding {
  what: string;
  state: "ok" | "note" | "missing";
  says: string;
  /** What to type or do about it. */
  next?: Remedy[];
}
