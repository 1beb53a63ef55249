/** How many mutants a check notices, and when that is known. Pure. */
import * as z from "zod";

export const MutantScore = z.object({
  /** Red on the mutant, and green without it. */
  killed: z.int().nonnegative(),
  /** Those that took effect: killed, or alive in a place that the check reaches. */
  effective: z.int().nonnegative(),
  /** All that were executed. */
  tried: z.int().nonnegative(),
  /** `src/a.js:12: < became <=` */
  survivors: z.array(z.string()),
  /** Whether there are no more. */
  exhausted: z.boolean(),
});
export type MutantScore = z.infer<typeof MutantScore>;

/** Mutants that count, of one proof. */
export const MUTANTS = 8;
/** Executions of the check for them, by which each proof ends. */
export const MUTANT_EVALUATIONS = 20;
const LEAST = 3;
const SHARE = 0.6;

const NEEDED = Math.ceil(MUTANTS * SHARE);

/** No further mutant changes what follows. */
export const isDecided = ({ killed, effective }: MutantScore): boolean =>
  killed >= NEEDED || effective - killed > MUTANTS - NEEDED;

/** At least 60 % of at least three; of tiny code, of all that there are. */
export const isStrong = ({ killed, effective, exhausted }: MutantScore): boolean =>
  killed > 0 && killed >= effective * SHARE && (effective >= LEAST || exhausted);

const NAMED = 4;

/** `5 of 8 mutants killed; not noticed: src/a.js:12: < became <=` */
export function scoreWords({ killed, effective, survivors, tried, exhausted }: MutantScore): string {
  if (effective === 0)
    return tried === 0
      ? "no mutant can be made of the code"
      : `none of ${tried} mutants is in code that the check executes`;
  const few = effective < LEAST && !exhausted ? ", too few to judge by" : "";
  const named = survivors.slice(0, NAMED).join("; ");
  return `${killed} of ${effective} mutants killed${few}${named === "" ? "" : `; not noticed: ${named}`}`;
}
