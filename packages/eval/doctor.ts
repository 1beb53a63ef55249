/** Checks the checks: what each suite makes of known solutions, of none, and of trees that cheat. Needs no model. */
import type { Evaluator } from "../../lib/core/ports.ts";
import { bytesOf } from "./case-files.ts";
import { type CheckedTree, checkTrees } from "./check-trees.ts";
import { type CaseOutcome, type EvalCase, isSolved, type Suite, type Tree } from "./suite.ts";

export const PROBES = ["oracle", "nothing", "stub", "forgery", "hanging", "others"] as const;
export type Probe = (typeof PROBES)[number];

export interface ProbeRow {
  probe: Probe;
  solved: number;
  of: number;
  isRight: boolean;
  /** What is wrong, where something is. */
  details: string[];
}

/** A probe that hangs takes all of its time. */
const HANGING_SECONDS = 1;
/** Of each suite, or of each of its groups: what cheats or hangs is executed on a few cases, which have all kinds of it. */
const SAMPLED = 2;
const SAMPLED_OF_GROUP = 1;

export interface Examination {
  suite: Suite;
  cases: EvalCase[];
  evaluator: Evaluator;
}

export async function* examine({ suite, cases, evaluator }: Examination): AsyncGenerator<ProbeRow> {
  const { checker } = suite;
  const sample = sampleOf(cases);
  const trees: Record<Probe, Named[]> = {
    oracle: cases.map((each) => named(each, each.oracle)),
    nothing: cases.map((each) => named(each, each.given ?? {})),
    stub: cases.filter((each) => each.stub !== each.given).map((each) => named(each, each.stub)),
    forgery: sample.flatMap((each) => each.forgeries.map((files) => named(each, files))),
    hanging: sample.map((each) => named(each, each.hanging, HANGING_SECONDS)),
    others: suite.isDistinct ? cases.flatMap((each) => othersOf(each, cases)) : [],
  };
  const probes = PROBES.filter((each) => trees[each].length > 0);
  const check = (asked: Named[]): Promise<CaseOutcome[]> => checkTrees({ evaluator, checker, trees: asked });
  const all = suite.isCheckedAtOnce ? await check(probes.flatMap((probe) => trees[probe])) : undefined;
  for (const probe of probes) {
    const asked = trees[probe];
    const outcomes = all?.splice(0, asked.length) ?? (await check(asked));
    const wrong = outcomes.flatMap((outcome, at) =>
      isRight(probe, outcome) ? [] : [`${asked[at]?.id}: ${outcome.failures[0] ?? `${outcome.passed} passed`}`],
    );
    const solved = outcomes.filter(isSolved).length;
    yield { probe, solved, of: asked.length, isRight: wrong.length === 0, details: wrong };
  }
}

function sampleOf(cases: EvalCase[]): EvalCase[] {
  const groups = [...Map.groupBy(cases, ({ group }) => group?.name)];
  return groups.flatMap(([name, all]) => all.slice(0, name === undefined ? SAMPLED : SAMPLED_OF_GROUP));
}

/** Of a tree that solves another case not even one check may pass. */
function isRight(probe: Probe, outcome: CaseOutcome): boolean {
  if (probe === "oracle") return isSolved(outcome);
  return probe === "others" ? outcome.passed === 0 : !isSolved(outcome);
}

type Named = CheckedTree & { id: string };

const named = ({ id, spec, seconds }: EvalCase, files: Tree, least = seconds): Named => ({
  id,
  spec,
  seconds: Math.min(seconds, least),
  files: bytesOf(files),
});

const othersOf = (each: EvalCase, cases: EvalCase[]): Named[] =>
  cases
    .filter((other) => other !== each)
    .map((other) => ({ ...named(each, other.oracle), id: `${each.id} on ${other.id}` }));
