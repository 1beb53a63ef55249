/** What the history of a run keeps of a turn's effects, so that nobody must open their bodies to draw it. Pure. */
import { PATHS_PER_TURN } from "../core/limits.ts";
import type { EffectsBody, Found, Turn } from "../core/turn.ts";
import type { Verdict } from "../core/verdict.ts";

export function seenIn({ results, verdicts }: EffectsBody): Pick<Turn, "read" | "found"> {
  const read = new Set(results.flatMap(({ about }) => (about.kind === "view" ? about.paths : [])));
  const found = Object.assign({}, ...verdicts.map(foundIn)) as Found;
  return {
    ...(read.size > 0 ? { read: [...read].slice(0, PATHS_PER_TURN) } : {}),
    ...(Object.keys(found).length > 0 ? { found } : {}),
  };
}

/** A check that did not run has counted nothing, and tests of which only some ran not all. */
function foundIn({ syntax, tests }: Verdict): Found {
  const { passed, failed, errors } = tests;
  return {
    ...(syntax.status === "not_run" ? {} : { errors: syntax.errors.length }),
    ...(tests.status === "not_run" || tests.scope ? {} : { passed, failed: failed + errors }),
  };
}
