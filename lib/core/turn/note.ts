/** The typed note with which a conversation starts again in the middle of an instruction. Pure: from the journal. */
import type { Amendment } from "../verdict/amendment.ts";
import { feedbackOf } from "../verdict/feedback.ts";
import { isBroken, type Verdict } from "../verdict/verdict.ts";
import type { Exchange } from "./conversation.ts";
import { categoryOf } from "./tools.ts";

const FILES_SHOWN = 60;
const ERROR_CHARS = 1_500;
const SAID_CHARS = 400;

interface Progress {
  why: string;
  verdicts: Verdict[];
  amendments?: Amendment[];
}

export function progressNote(exchanges: Exchange[], { why, verdicts, amendments = [] }: Progress): string {
  const written = writtenIn(exchanges);
  const lines = [
    `This instruction is under way; the conversation was started afresh (${why}).`,
    "Done so far in this instruction:",
    ...written.slice(-FILES_SHOWN).map(([path, what]) => `- ${what} ${path}`),
  ];
  if (written.length === 0) lines.push("- no file changed yet");
  if (written.length > FILES_SHOWN) lines.push(`- and ${written.length - FILES_SHOWN} more before these`);
  if (amendments.length > 0) lines.push("Locked tests that may be changed:", ...amendments.map(amendmentLine));
  const open = openErrors(verdicts);
  lines.push("Open errors:", open ? indent(open) : "- none known; run_checks shows them");
  const said = exchanges.findLast((exchange) => exchange.answer?.text)?.answer?.text.trim();
  if (said) lines.push("Last thought:", indent(said.slice(0, SAID_CHARS)));
  const look = lastViewed(exchanges);
  if (look.length > 0) lines.push(`Files to look at: ${look.join(", ")}`);
  return lines.join("\n");
}

const amendmentLine = ({ path, reason }: Amendment): string => `- ${path}: ${reason}`;

function writtenIn(exchanges: Exchange[]): [string, string][] {
  const written = new Map<string, string>();
  for (const result of exchanges.flatMap((exchange) => exchange.results)) {
    if (result.about.kind !== "write") continue;
    for (const path of result.about.paths) {
      written.delete(path);
      const isGone = categoryOf(result.tool) === "delete" || result.about.gone?.includes(path);
      written.set(path, isGone ? "deleted" : "wrote");
    }
  }
  return [...written];
}

/** Syntax as it was checked last, and tests as they ran last, if they are still to be put right. */
function openErrors(verdicts: Verdict[]): string | undefined {
  const syntax = verdicts.findLast((verdict) => verdict.syntax.status !== "not_run");
  const tests = verdicts.findLast((verdict) => verdict.tests.status !== "not_run");
  const open = [...new Set([syntax, tests])].filter((verdict) => verdict !== undefined).filter(isRed);
  return open.length > 0 ? open.map((verdict) => feedbackOf(verdict, ERROR_CHARS)).join("\n") : undefined;
}

const isRed = ({ syntax, tests }: Verdict): boolean => isBroken(syntax.status) || isBroken(tests.status);

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
