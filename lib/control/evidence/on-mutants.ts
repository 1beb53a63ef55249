/** A check on small changes of the code: whether it notices them. */
import { checkText, isRed, type TreeOutcome } from "../../core/evidence/evidence.ts";
import { type Mutant, mutantsOf } from "../../core/evidence/mutants/mutants.ts";
import { PROBE_EXIT } from "../../core/evidence/mutants/place.ts";
import { isDecided, MUTANT_EVALUATIONS, type MutantScore } from "../../core/evidence/mutants/score.ts";
import { pathsOf } from "../../core/evidence/outcome.ts";
import type { Change } from "../../core/ports.ts";
import { decodeText, encodeText } from "../../core/text/file-text.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import { sha256 } from "../files/digest.ts";
import type { CheckRequest } from "../gate/evaluation.ts";
import { hadNoTime, type Trials } from "./on-stubs.ts";
import { changed, type EvaluatedTree, hashOfFiles, type StepTrees, sourceTexts } from "./trees.ts";

export interface MutantTrials extends Pick<Trials, "check" | "trees" | "sources"> {
  requirement: string;
  /** Of the check on the files as they are. */
  milliseconds: number;
  longestMs: number;
  on: (
    tree: EvaluatedTree,
    wanted: Pick<CheckRequest, "wholeMs">,
  ) => Promise<{ outcome: TreeOutcome; verdict: Verdict }>;
  /** Whether the code of this file can be read by its language, as a checker says. Unknown: it cannot. */
  isReadable: (path: string, tree: EvaluatedTree) => Promise<boolean>;
}

/** `isLate`: the time of the turn is over before it is decided. */
export interface MutantsFound {
  score: MutantScore;
  isLate: boolean;
}

/** A mutant may run for ever: it has so many times the time of the check, and at least so much. */
const TIMES = 10;
const LEAST_MS = 30_000;
/** Usual times after which what was ended by a limit has hung: laying and installing the files may have used the rest. */
const HUNG_TIMES = 3;
/** Places of one function that the check does not reach, after which others come first. */
const MISSES = 2;

/**
 * Executes the check on one mutant after the other, until it is known whether it notices enough of them. A mutant that it
 * does not notice counts only if the same place ends its process when that is put there: else it does not reach that place.
 */
export async function onMutants(trials: MutantTrials): Promise<MutantsFound> {
  const { milliseconds, longestMs } = trials;
  const wholeMs = Math.min(longestMs, Math.max(LEAST_MS, TIMES * milliseconds));
  const score: MutantScore = { killed: 0, effective: 0, tried: 0, survivors: [], exhausted: false };
  const misses = new Map<string, number>();
  let left = MUTANT_EVALUATIONS;
  const open = (await mutants(trials)).map((make) => ({ make, isLast: false }));
  // What is put off is added at the end.
  for (const { make, isLast } of open) {
    if (isDecided(score) || left < 2) return { score, isLate: false };
    const mutant = make();
    if (!isLast && (misses.get(mutant.within) ?? 0) >= MISSES) {
      open.push({ make, isLast: true });
      continue;
    }
    left -= 1;
    const effect = await effectOf(trials, { mutant, text: mutant.text, wholeMs });
    if (effect === "late") return { score, isLate: true };
    score.tried += 1;
    if (effect === "noticed") {
      score.killed += 1;
      score.effective += 1;
    }
    if (effect !== "unnoticed") continue;
    left -= 1;
    const reached = await effectOf(trials, { mutant, text: mutant.probe, wholeMs });
    if (reached === "late") return { score, isLate: true };
    if (reached === "noticed") {
      score.survivors.push(mutant.name);
      score.effective += 1;
    } else if (reached === "unnoticed") misses.set(mutant.within, (misses.get(mutant.within) ?? 0) + 1);
  }
  return { score: { ...score, exhausted: !isDecided(score) }, isLate: false };
}

async function mutants({ requirement, check, trees, sources }: MutantTrials) {
  const paths = pathsOf(check).filter((path) => trees.work.has(path));
  const texts = (await Promise.all(paths.map((path) => sources.read(path)))).flatMap(
    (bytes) => (bytes && decodeText(bytes)) ?? [],
  );
  const seed = { check: `${requirement}\n${checkText(check)}`, texts, hashOf: sha256 };
  return mutantsOf(await sourceTexts(trees, sources), seed);
}

interface Changed {
  mutant: Mutant;
  text: string;
  wholeMs: number;
}

/** `nothing`: it could not be executed, or is no code; nothing follows from that. */
async function effectOf(
  { trees, on, isReadable, milliseconds }: MutantTrials,
  { mutant: { path }, text, wholeMs }: Changed,
): Promise<"noticed" | "unnoticed" | "nothing" | "late"> {
  const tree = treeWith(trees, { path, content: encodeText(text) });
  const { outcome, verdict } = await on(tree, { wholeMs });
  if (hadNoTime(verdict)) return "late";
  if (outcome.status === "passed") return "unnoticed";
  if (!isRed(outcome)) return hasHung(verdict, milliseconds) || hasEndedItself(verdict) ? "noticed" : "nothing";
  const isPerhapsNoCode = NO_CODE.test(outcome.detail) || NO_CODE.test(outcome.output);
  return isPerhapsNoCode && !(await isReadable(path, tree)) ? "nothing" : "noticed";
}

/** Programs throw such errors of texts that they read, too. */
const NO_CODE = /(?:Syntax|Indentation|Tab|Parse)\w*Error|Transform failed|Unexpected token|ERR_INVALID_TYPESCRIPT/;

const hasHung = ({ tests, command, milliseconds }: Verdict, usual: number): boolean =>
  (tests.status === "timed_out" || command?.status === "timed_out") && milliseconds >= HUNG_TIMES * usual;

/** The probe ended the test run itself, whose report is unfinished then. */
const hasEndedItself = ({ tests }: Verdict): boolean =>
  tests.status === "crashed" && (tests.detail ?? "").includes(`ended with ${PROBE_EXIT} `);

const treeWith = ({ work, changes }: StepTrees, edit: Change & { content: Uint8Array }): EvaluatedTree => ({
  changes: [...changes.filter(({ path }) => path !== edit.path), edit],
  hash: hashOfFiles(changed(work, [edit])),
});
