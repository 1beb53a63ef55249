/** What a turn did to files. Pure. */
import type { PathChange, ToldTurn } from "../core/turn/turn.ts";

/** Of several in one place, the first of these is shown. */
export const TOUCHES = ["created", "deleted", "written", "read"] as const;
export type Touch = (typeof TOUCHES)[number];

/** The change counts before the look. */
export function touchesOf({ changes, read = [] }: Pick<ToldTurn, "changes" | "read">): [path: string, touch: Touch][] {
  const changed = changes.map((change): [string, Touch] => [change.path, touchIn(change)]);
  const looked = read.filter((path) => !changes.some((change) => change.path === path));
  return [...changed, ...looked.map((path): [string, Touch] => [path, "read"])];
}

const touchIn = ({ sha256, was }: PathChange): Touch =>
  sha256 === null ? "deleted" : was === null ? "created" : "written";
