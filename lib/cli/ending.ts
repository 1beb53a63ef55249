/** What a run's ending says: what happened, what is kept, what it cost, and the exact next command. Pure. */
import { counted } from "../core/counted.ts";
import type { Run, RunReason } from "../core/run.ts";
import { plainText } from "./plain-text.ts";
import { money, shortId } from "./words.ts";

export interface Kept {
  /** Where the files are now; absent: they were not delivered. */
  folder?: string;
  files: number;
  /** Left as somebody else made them. */
  untouched: string[];
}

export function endingLines(run: Run, kept: Kept): string[] {
  const lines = [happenedLine(run), keptLine(run, kept), `Cost: ${costOf(run)}.`];
  if (kept.untouched.length > 0) {
    lines.push(`Left as they were found: ${kept.untouched.slice(0, 10).join(", ")}.`);
  }
  if (run.reason === "unchecked") lines.push("Next: l2mac doctor, which shows what checks are missing here");
  else if (run.status !== "completed" || kept.folder === undefined) lines.push(`Next: ${nextCommand(run)}`);
  return lines.map(plainText);
}

function happenedLine({ status, reason, detail }: Run): string {
  if (status === "completed") return detail ?? "Completed.";
  if (reason === "interrupted") return "Stopped before the end; nothing is lost.";
  return `${status}: ${detail ?? reason?.replaceAll("_", " ") ?? ""}`;
}

function keptLine(run: Run, { folder, files }: Kept): string {
  const accepted = Math.max(0, Math.min(run.pc - 1, run.instructions));
  const done = run.instructions === 0 ? "no program yet" : `${accepted} of ${counted(run.instructions, "instruction")}`;
  const where = folder === undefined ? `in the run ${shortId(run.id)}` : `in ${folder}`;
  const tests = run.testsTotal > 0 ? `, tests ${run.testsPassed}/${run.testsTotal}` : "";
  return `Kept: ${done}, ${counted(folder === undefined ? run.files : files, "file")} ${where}${tests}.`;
}

function costOf(run: Run): string {
  const free = run.profile.price?.input === 0 && run.profile.price.output === 0;
  if (run.profile.model === "rehearsal") return "nothing, this was a rehearsal";
  if (!run.profile.price) return `unknown, ${counted(run.turns, "turn")}`;
  return `${money(run.microUsd)}${free ? " (this computer's own model)" : ""}, ${counted(run.turns, "turn")}`;
}

const MORE: Partial<Record<RunReason, (run: Run) => string>> = {
  usd: ({ options }) => `--budget ${doubled(options.budget.usd)}`,
  tokens: ({ options }) => `--max-tokens ${doubled(options.budget.tokens)}`,
  turns: ({ options }) => `--max-turns ${doubled(options.budget.turns)}`,
  minutes: ({ options }) => `--max-minutes ${doubled(options.budget.minutes)}`,
};

const doubled = (ceiling: number | undefined): number => (ceiling ?? 5) * 2;

const FIRST: Partial<Record<RunReason, (id: string) => string>> = {
  credentials: () => "set OPENAI_API_KEY, then ",
  provider: () => "when the server answers (l2mac doctor tells), ",
  trapped: (id) => `look at what it tried with l2mac log ${id}, then `,
};

export function nextCommand(run: Run): string {
  const id = shortId(run.id);
  if (run.status === "completed") return `l2mac get ${id}`;
  const more = run.reason && MORE[run.reason]?.(run);
  const first = run.reason && FIRST[run.reason]?.(id);
  return `${first ?? ""}l2mac resume ${id}${more ? ` ${more}` : ""}`;
}
