/** What a run's ending says in a terminal. Pure. */
import type { NextCommand } from "../../core/errors.ts";
import { endingWords, HERE, type RunPlace } from "../../core/run/ending-words.ts";
import type { Run } from "../../core/run/run.ts";
import { remedyText } from "../../core/text/command-line.ts";
import { shortId } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import type { InTheWay } from "../../files/git/run-branch.ts";
import type { Connection } from "../runs/connection.ts";

export interface KeptWork {
  /** Where the files are now; absent: they were not delivered. */
  folder?: string;
  /** The branch that has the accepted steps instead. */
  branch?: DeliveredBranch;
  files: number;
  /** Files of others that were not overwritten. */
  untouched: string[];
  /** Why it could not be noted that they were delivered. */
  unremembered?: string | undefined;
}

export interface DeliveredBranch {
  repository: string;
  name: string;
  /** One commit each. */
  steps: number;
  /** The branch or commit that it leaves from, for commands; absent: it leaves from nothing. */
  from: string | undefined;
  /** The branch that the run should have had. */
  instead?: string;
  /** Of the difference, in Git's words. */
  summary: string;
  /** Uncommitted changes of the user's that a merge would overwrite. */
  inTheWay: InTheWay;
}

/** The files are there all the same. */
export const unrememberedLines = ({ unremembered }: KeptWork): string[] =>
  unremembered === undefined
    ? []
    : [`Delivered; but ${sanitizeLine(unremembered)}: a later delivery there treats these files as not its own.`];

interface Shown {
  launcher: string;
  place?: RunPlace;
}

/** One command a line, there to be pasted. */
export const nextLines = (next: NextCommand[], launcher: string): string[] =>
  next.map((each, index) => `${index === 0 ? "Next: " : "  or: "}${remedyText(each, launcher)}`);

export function endingLines(run: Run, kept: KeptWork, { place = HERE, launcher }: Shown): string[] {
  const words = endingWords(run, { ...kept, branch: kept.branch?.name, place });
  const lines = [words.happened, `Kept: ${words.kept}`, `Cost: ${words.cost}`];
  if (kept.untouched.length > 0) {
    lines.push(`Not overwritten: ${kept.untouched.slice(0, 10).join(", ")}.`);
  }
  lines.push(...unrememberedLines(kept));
  lines.push(...nextLines(words.next, launcher), ...verifyLines(run, { place, launcher }));
  return lines.map((line) => sanitizeLine(line));
}

/** What was proven can be executed again by anyone who has the zip. */
function verifyLines({ id, name, status, proven }: Run, { place = HERE, launcher }: Shown): string[] {
  if (status !== "completed" || !proven) return [];
  const zip = `${name}.zip`;
  const get = remedyText({ command: "get", args: [shortId(id), "--zip", zip, ...place.remoteFlag] }, launcher);
  return [`Verify it elsewhere: ${get} && ${remedyText({ command: "verify", args: [zip] }, launcher)}`];
}

/** For a command that ends while the run continues elsewhere. */
export function leavingLines(
  run: Run,
  { remoteFlag, where }: Pick<Connection, "remoteFlag" | "where">,
  launcher: string,
): string[] {
  const args = [shortId(run.id), ...remoteFlag];
  const next = [
    { command: "watch", args },
    { command: "get", args, note: "when it has ended" },
    { command: "cancel", args },
  ];
  return [`The run goes on ${where}, and costs at most its ceilings.`, ...nextLines(next, launcher)].map(sanitizeLine);
}
