/** The typed note with which a conversation starts anew in the middle of an instruction. Pure: from the journal. */
import type { Exchange } from "./conversation.ts";

const FILES_SHOWN = 60;
const ERROR_CHARS = 1_500;
const SAID_CHARS = 400;

export function progressNote(exchanges: Exchange[], why: string): string {
  const written = writtenIn(exchanges);
  const lines = [
    `This instruction is under way; the conversation was started afresh (${why}).`,
    "Done so far in this instruction:",
    ...written.slice(-FILES_SHOWN).map(([path, what]) => `- ${what} ${path}`),
  ];
  if (written.length === 0) lines.push("- no file changed yet");
  if (written.length > FILES_SHOWN) lines.push(`- and ${written.length - FILES_SHOWN} more before these`);
  const open = openErrors(exchanges);
  lines.push("Open errors:", open ? indent(open.slice(0, ERROR_CHARS)) : "- none known; run_checks tells");
  const said = exchanges.findLast((exchange) => exchange.answer?.text)?.answer?.text.trim();
  if (said) lines.push("Last thought:", indent(said.slice(0, SAID_CHARS)));
  const look = lastViewed(exchanges);
  if (look.length > 0) lines.push(`Files to look at: ${look.join(", ")}`);
  return lines.join("\n");
}

function writtenIn(exchanges: Exchange[]): [string, string][] {
  const written = new Map<string, string>();
  for (const result of exchanges.flatMap((exchange) => exchange.results)) {
    if (!result.ok || result.about.kind !== "write") continue;
    for (const path of result.about.paths) {
      written.delete(path);
      written.set(path, result.tool === "delete_files" ? "deleted" : "wrote");
    }
  }
  return [...written];
}

/** The last verdict, if what it says is still to be put right. */
function openErrors(exchanges: Exchange[]): string | undefined {
  const results = exchanges.flatMap((exchange) => exchange.results);
  const verdict = results.findLast((result) => result.about.kind === "verdict");
  return verdict && !verdict.ok ? verdict.text : undefined;
}

function lastViewed(exchanges: Exchange[]): string[] {
  const views = exchanges
    .flatMap((exchange) => exchange.results)
    .flatMap(({ about }) => (about.kind === "view" ? about.paths : []));
  return [...new Set(views.reverse())].slice(0, 5);
}

const indent = (text: string): string =>
  text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
