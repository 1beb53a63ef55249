/** What a turn did to files. Pure. */
import type { ToldTurn } from "../core/turn.ts";

/** Of several in one place, the first of these is shown. */
export const TOUCHES = ["created", "deleted", "written", "read"] as const;
export type Touch = (typeof TOUCHES)[number];

/** The change counts before the look. */
export function touchesOf({ changes, read = [] }: Pick<ToldTurn, "changes" | "read">): Map<string, Touch> {
  const touches = new Map<string, Touch>(read.map((path) => [path, "read"]));
  for (const { path, sha256, was } of changes)
    touches.set(path, sha256 === null ? "deleted" : was === null ? "created" : "written");
  return touches;
}
