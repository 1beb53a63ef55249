/** Commands of this program as people type them. Pure. */
import type { NextCommand, Remedy } from "../errors.ts";

/** `resume 38KYQ3 --budget 10` behind the launcher. */
export const commandLine = ({ command, args }: NextCommand, launcher: string): string =>
  [launcher, command, ...args.map(quoted)].join(" ");

/** What to do next, with the command first, because it is there to be pasted. */
export function remedyText(remedy: Remedy, launcher: string): string {
  if (typeof remedy === "string") return remedy;
  const line = commandLine(remedy, launcher);
  return remedy.note === undefined ? line : `${line}   (${remedy.note})`;
}

/** An argument that a shell takes as it is. `<task>` is a text that the user fills in. */
export function quoted(word: string): string {
  if (/^[\w./:@%+=,-]+$/.test(word)) return word;
  return /^<[^<>"]+>$/.test(word) ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
