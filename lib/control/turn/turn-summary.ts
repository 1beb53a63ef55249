/** The summary of a turn in the registry, so that the history of a run is shown without reading journal bodies. Pure. */
import { PATHS_PER_TURN } from "../../core/limits.ts";
import { oneLine } from "../../core/text/cut.ts";
import type { ToolAnswer } from "../../core/turn/tool-note.ts";
import { categoryOf } from "../../core/turn/tools.ts";
import type { CheckCounts, EffectsBody, Turn } from "../../core/turn/turn.ts";
import { foldAmendments } from "../../core/verdict/amendment.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";

type TurnSummary = Pick<Turn, "read" | "found" | "did" | "refused" | "amended">;

export function summarizeTurn({ verdicts, amendments = [] }: EffectsBody, answers: ToolAnswer[]): TurnSummary {
  const read = new Set(answers.flatMap(({ about }) => (about.kind === "view" ? about.paths : [])));
  const found = Object.assign(
    {},
    ...verdicts.filter(({ purpose }) => purpose === undefined).map(checkCounts),
  ) as CheckCounts;
  const refused = refusalIn(answers);
  const amended = foldAmendments(amendments).map(({ path }) => path);
  return {
    ...(read.size > 0 ? { read: [...read].slice(0, PATHS_PER_TURN) } : {}),
    ...(Object.keys(found).length > 0 ? { found } : {}),
    ...(answers.length > 0 ? { did: oneLine(answers.map(actionOf).join("; "), DID_CHARS) } : {}),
    ...(refused === undefined ? {} : { refused }),
    ...(amended.length > 0 ? { amended: amended.slice(0, PATHS_PER_TURN) } : {}),
  };
}

/** One line of a list. */
const DID_CHARS = 160;

/** Findings, refusals and amendments are kept apart. */
const actionOf = ({ tool, facts: { subject = "" } }: ToolAnswer): string => `${tool} ${subject}`.trim();

/** The last offer counts. */
function refusalIn(answers: ToolAnswer[]): string | undefined {
  const offer = answers.findLast(({ tool }) => categoryOf(tool) === "end");
  if (!offer || offer.ok) return undefined;
  return oneLine(offer.facts.refusal ?? offer.note, DID_CHARS);
}

/** Checks that did not run, and tests of which only some ran, have no counts. */
function checkCounts({ syntax, tests }: Verdict): CheckCounts {
  const { passed, failed, errors } = tests;
  return {
    ...(syntax.status === "not_run" ? {} : { errors: syntax.errors.filter(({ known }) => !known).length }),
    ...(tests.status === "not_run" || tests.scope ? {} : { passed, failed: failed + errors }),
  };
}
