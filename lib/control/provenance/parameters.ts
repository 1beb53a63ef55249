/** What a manifest says of a run besides hashes. Nothing of it names a computer, a user or a server. Pure. */
import { defined } from "../../core/defined.ts";
import type { Evidence } from "../../core/evidence/evidence.ts";
import { standingOf } from "../../core/evidence/latest.ts";
import type { Resource } from "../../core/provenance/statement.ts";
import { costOfRun, usdOf } from "../../core/run/budget.ts";
import type { Run } from "../../core/run/run.ts";
import { amendmentsIn } from "../../core/verdict/amendment.ts";
import type { StoredProgram } from "../program/stored-program.ts";

interface Parameters {
  parameters: Record<string, unknown>;
  dependencies: Resource[];
}

/** What the user chose, and what the run started from. Options that hold addresses or paths stay out. */
export function parametersOf({ options, git }: Run): Parameters {
  const { domain, budget, runTests, approve } = options;
  return {
    parameters: { domain, budget, runTests, ...defined({ approve }) },
    dependencies: git?.commit === undefined ? [] : [{ name: "start", digest: { gitCommit: git.commit } }],
  };
}

/** The last step's end, not the delivery's: a delivery that is repeated after a crash writes the same bytes. */
export const finishedOn = ({ createdAt }: Run, { instructions }: StoredProgram): string =>
  instructions.reduce((latest, { acceptedAt = "" }) => (acceptedAt > latest ? acceptedAt : latest), createdAt);

export const programResult = ({ instructions }: StoredProgram) => ({
  instructions: instructions.map(({ number, title, status }) => ({ number, title, status })),
});

/** `unchecked` is empty only if everything was checked; `requirements` says which are proven, where evidence was asked for. */
export function resultOf(run: Run, { instructions }: StoredProgram, evidence: Evidence[] = []) {
  const origin = inheritedFrom(run, instructions);
  const { testsPassed: passed, testsTotal: total, knownRed, givenTests, smoke } = run;
  return {
    ...defined({ inheritedFrom: origin, copiedFrom: copiedFrom(instructions) }),
    scope: "models, calls, turns, tokens and cost are of this run alone",
    models: modelsOf(run),
    cost: costOfRun(run),
    verdicts: {
      tests: { passed, total, ...defined({ knownRed, givenTests }) },
      unchecked: run.unchecked,
      ...(smoke ? { cleanRoom: { status: smoke.status, ...defined({ reason: smoke.reason }) } } : {}),
    },
    ...(run.proven ? { requirements: run.proven, evidence: standingOf(evidence).map(shownEvidence) } : {}),
    ...(run.waivers ? { waivers: run.waivers } : {}),
    amendments: amendmentsIn(instructions),
    skipped: instructions.filter(({ status }) => status === "skipped").map(({ number }) => number),
  };
}

/** Enough to execute it again; what it printed stays with the run. */
const shownEvidence = (each: Evidence) => ({
  requirement: each.requirement,
  n: each.n,
  grade: each.grade,
  check: each.check,
  ...defined({ reason: each.reason || undefined, kept: each.kept, delivered: each.delivered?.status }),
  ...defined({ independent: each.independent, amended: (each.independent && each.changed) || undefined }),
  ...defined({ mutants: each.mutants }),
  trees: { base: each.base.tree, work: each.work.tree, ...defined({ stubs: each.stubs?.tree }) },
});

/** Another run computed these instructions: what that cost, and which models wrote it, its own manifest says. */
function inheritedFrom({ forkedFrom, make }: Run, instructions: StoredProgram["instructions"]) {
  const run = forkedFrom?.run ?? make?.from;
  const inherited = instructions.filter((each) => each.inherited && !each.memo).map(({ number }) => number);
  return run === undefined ? undefined : { run, instructions: inherited };
}

/** Calls that were accepted in these runs. */
function copiedFrom(instructions: StoredProgram["instructions"]) {
  const copied = instructions.flatMap(({ number, memo, inherited }) =>
    memo && inherited ? [{ run: inherited.run, number }] : [],
  );
  const byRun = Map.groupBy(copied, ({ run }) => run);
  const runs = [...byRun].map(([run, steps]) => ({ run, instructions: steps.map(({ number }) => number) }));
  return runs.length > 0 ? runs : undefined;
}

/** `share`: of the cost, where there is any. */
function modelsOf({ models, profile, paid = [], microUsd }: Run) {
  if (!models) return [{ model: nameOf(profile.model), usd: usdOf(microUsd), share: 1 }];
  const total = paid.reduce((sum, each) => sum + each, 0);
  return models.map(({ model, examines }, place) => {
    const own = paid[place] ?? 0;
    const share = total > 0 ? { share: Math.round((own / total) * 1e6) / 1e6 } : {};
    return { model: nameOf(model), ...(examines ? { examines } : {}), usd: usdOf(own), ...share };
  });
}

/** A local server may name a model by its file: only the file's name says something elsewhere. */
const nameOf = (model: string): string =>
  /^([/~]|[A-Za-z]:[\\/])/.test(model) ? (model.split(/[\\/]/).at(-1) ?? "") : model;
