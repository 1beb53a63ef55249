/** What a run's ending says in a terminal. Pure. */
import { shortId } from "../../core/run/amounts.ts";
import { endingWords, HERE, type RunPlace } from "../../core/run/ending-words.ts";
import type { Run } from "../../core/run/run.ts";
import type { Runs } from "../runs/runs.ts";
import { plainText } from "./plain-text.ts";
import { withMoments } from "./words.ts";

export interface Kept {
  /** Where the files are now; absent: they were not delivered. */
  folder?: string;
  files: number;
  /** Left as somebody else made them. */
  untouched: string[];
  /** Why it could not be noted that they were delivered. */
  unremembered?: string | undefined;
}

/** The files are there all the same. */
export const unrememberedLines = ({ unremembered }: Kept): string[] =>
  unremembered === undefined
    ? []
    : [`Delivered; but ${plainText(unremembered)}: a later delivery there takes these files for somebody else's.`];

export function endingLines(run: Run, kept: Kept, place: RunPlace = HERE): string[] {
  const words = endingWords(run, { ...kept, place });
  const lines = [words.happened, `Kept: ${words.kept}`, `Cost: ${words.cost}`];
  if (kept.untouched.length > 0) {
    lines.push(`Left as they were found: ${kept.untouched.slice(0, 10).join(", ")}.`);
  }
  lines.push(...unrememberedLines(kept));
  if (words.next !== undefined) lines.push(`Next: ${words.next}`);
  return lines.map((line) => plainText(withMoments(line)));
}

/** For whoever turns away from a run that goes on elsewhere. */
export function leavingLines(run: Run, { flag, where }: Pick<Runs, "flag" | "where">): string[] {
  const id = shortId(run.id);
  return [
    `The run goes on ${where}, and costs at most its ceilings.`,
    `Next: l2mac watch ${id}${flag}, l2mac get ${id}${flag} when it has ended, or l2mac cancel ${id}${flag}`,
  ].map(plainText);
}
