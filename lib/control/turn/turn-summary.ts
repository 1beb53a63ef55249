/** What the history of a run keeps of a turn's effects, so that nobody must open their bodies to draw it. Pure. */

import { PATHS_PER_TURN } from "../../core/limits.ts";
import { oneLine } from "../../core/text/cut.ts";
import { categoryOf, type ToolCategory } from "../../core/turn/tools.ts";
import type { EffectsBody, Found, ToolResult, Turn } from "../../core/turn/turn.ts";
import { foldAmendments } from "../../core/verdict/amendment.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";

type Seen = Pick<Turn, "read" | "found" | "did" | "refused" | "amended">;

export function summarizeTurn({ results, verdicts, amendments = [] }: EffectsBody): Seen {
  const read = new Set(results.flatMap(({ about }) => (about.kind === "view" ? about.paths : [])));
  const found = Object.assign({}, ...verdicts.map(foundIn)) as Found;
  const refused = whyRefused(results);
  const amended = foldAmendments(amendments).map(({ path }) => path);
  return {
    ...(read.size > 0 ? { read: [...read].slice(0, PATHS_PER_TURN) } : {}),
    ...(Object.keys(found).length > 0 ? { found } : {}),
    ...(results.length > 0 ? { did: oneLine(results.map(didOf).join("; "), DID_CHARS) } : {}),
    ...(refused === undefined ? {} : { refused }),
    ...(amended.length > 0 ? { amended: amended.slice(0, PATHS_PER_TURN) } : {}),
  };
}

/** Lines are read one below the other. */
const DID_CHARS = 160;
/** What was found, refused or amended stands by itself. */
const didOf = ({ tool, note }: ToolResult): string =>
  isReportedApart(categoryOf(tool)) ? tool : `${tool} ${note.split(" · ")[0]}`.trim();
const isReportedApart = (category: ToolCategory | undefined): boolean =>
  category === "check" || category === "end" || category === "amend";

/** The last offer counts. */
function whyRefused(results: ToolResult[]): string | undefined {
  const offered = results.findLast(({ tool }) => categoryOf(tool) === "end");
  return offered && !offered.ok ? oneLine(offered.note.replace(/^not accepted: /, ""), DID_CHARS) : undefined;
}

/** A check that did not run has counted nothing, and tests of which only some ran not all. */
function foundIn({ syntax, tests }: Verdict): Found {
  const { passed, failed, errors } = tests;
  return {
    ...(syntax.status === "not_run" ? {} : { errors: syntax.errors.length }),
    ...(tests.status === "not_run" || tests.scope ? {} : { passed, failed: failed + errors }),
  };
}
