/** How far the requirements of a run are proven: which are, which are not and why, which the user waived. Pure. */
import * as z from "zod";
import { defined } from "../defined.ts";
import type { Constraint } from "../program/constraints.ts";
import { oneLine } from "../text/cut.ts";
import { constraintRows } from "./constraint-standing.ts";
import {
  type Evidence,
  evidenceName,
  gradeNow,
  isAmended,
  isByText,
  isProof,
  isRed,
  PROVING_GRADE,
  reasonNow,
} from "./evidence.ts";
import { lastOf, standingOf } from "./latest.ts";
import { partsOf, type RequirementParts } from "./requirement-parts.ts";

/** The user takes a requirement as it is. */
export const Waiver = z.object({ requirement: z.string(), reason: z.string(), at: z.string() });
export type Waiver = z.infer<typeof Waiver>;

const OpenRequirement = z.object({ requirement: z.string(), why: z.string() });
export type OpenRequirement = z.infer<typeof OpenRequirement>;

/** In the run's record: counts, and the first of those that are not proven. */
export const ProofCount = z.object({
  proven: z.int().nonnegative(),
  total: z.int().nonnegative(),
  unproven: z.array(OpenRequirement),
  /** So many more are not proven than are named. */
  more: z.int().positive().optional(),
  waived: z.array(z.string()).optional(),
  /** Proven at E1: no stubs can be made of what its check looks at. */
  ungraded: z.array(z.string()).optional(),
  /** Proven at E1 by what a text says: passages, counts or links. */
  byText: z.array(z.string()).optional(),
  /** Proven, and nothing new: it held before the run too. */
  kept: z.array(z.string()).optional(),
  /** Constraints for which nothing was executed. */
  declared: z.array(z.string()).optional(),
});
export type ProofCount = z.infer<typeof ProofCount>;

/** In the run's record. */
export const evidenceFields = {
  /** What the user takes as it is. */
  waivers: z.array(Waiver).optional(),
  /** How far its requirements are proven on the delivered tree. */
  proven: ProofCount.optional(),
};

export type RequirementState =
  /** `why`: the grade is not higher. `kept`: all that proves it was green before the run too. `byText`: all is of documents. */
  | { state: "proven"; grade: number; why?: string; kept?: true; byText?: true }
  | { state: "waived"; why: string }
  | { state: "unproven"; why: string };

export interface Gathered {
  evidence: Evidence[];
  waivers?: readonly Waiver[] | undefined;
  /** All of it must have been executed on the delivered tree. */
  isDelivered: boolean;
  /** What has parts and no evidence is proven by theirs. */
  parts?: RequirementParts | undefined;
  /** Only what the examiner or the user wrote proves anything. */
  isExamined?: boolean | undefined;
}

export function standingOfRequirement(requirement: string, given: Gathered): RequirementState {
  const waiver = given.waivers?.find((each) => each.requirement === requirement);
  if (waiver) return { state: "waived", why: waiver.reason };
  const all = standingOf(given.evidence).filter((each) => each.requirement === requirement);
  const own = given.isExamined ? all.filter(({ independent }) => independent) : all;
  if (own.length === 0) return standingOfParts(requirement, given);
  const amended = own.find(isAmended);
  if (amended) return unproven(amended, `grade E${gradeNow(amended)}: ${reasonNow(amended)}`);
  const red = own.find((each) => isRed(lastOf(each, given.isDelivered)));
  if (red) return unproven(red, `red: ${lastOf(red, given.isDelivered).detail}`);
  const unsure = own.find((each) => lastOf(each, given.isDelivered).status === "unknown");
  if (unsure) return unproven(unsure, `could not be executed: ${lastOf(unsure, given.isDelivered).detail}`);
  const grade = Math.max(...own.map(gradeNow));
  const proofs = own.filter(isProof);
  const kept = proofs.every((each) => each.kept) ? { kept: true as const } : {};
  const [ungraded] = proofs;
  if (ungraded && grade >= PROVING_GRADE) return { state: "proven", grade, ...kept };
  const byText = proofs.every(isByText) ? { byText: true as const } : {};
  if (ungraded) return { state: "proven", grade, why: reasonNow(ungraded), ...kept, ...byText };
  const best = own.find(({ changed }) => changed) ?? own[0];
  return best ? unproven(best, `grade E${grade}: ${reasonNow(best)}`) : { state: "unproven", why: "no evidence" };
}

export const NO_CHECK = "the examiner wrote no check";

function standingOfParts(requirement: string, given: Gathered): RequirementState {
  const parts = given.parts?.get(requirement) ?? [];
  if (parts.length === 0) return { state: "unproven", why: given.isExamined ? NO_CHECK : "no evidence" };
  const all = parts.map((id) => ({ id, ...standingOfRequirement(id, given) }));
  const open = all.filter(({ state }) => state === "unproven").map(({ id }) => id);
  if (open.length > 0) return { state: "unproven", why: oneLine(`not proven: ${open.join(", ")}`, WHY_CHARS) };
  const weakest = all
    .flatMap((each) => (each.state === "proven" ? [each] : []))
    .toSorted((one, other) => one.grade - other.grade)[0];
  if (!weakest) return { state: "waived", why: "all its parts are waived" };
  const { grade, why, byText } = weakest;
  return { state: "proven", grade, ...defined({ why, byText }) };
}

const unproven = (evidence: Evidence, why: string): RequirementState => ({
  state: "unproven",
  why: oneLine(`${evidenceName(evidence)} ${why}`, WHY_CHARS),
});
const WHY_CHARS = 200;

const NAMED = 30;

export interface GatheredOfTask extends Omit<Gathered, "parts"> {
  constraints?: readonly Constraint[] | undefined;
}

/** A constraint is not counted; one whose check is red is not proven. */
export function provenOf(requirements: readonly { id: string }[], given: GatheredOfTask): ProofCount {
  const parts = partsOf(requirements);
  const all = requirements.map(({ id }) => ({ id, standing: standingOfRequirement(id, { ...given, parts }) }));
  const open = all.flatMap(({ id, standing }) =>
    standing.state === "unproven" ? [{ requirement: id, why: standing.why }] : [],
  );
  const limits = constraintRows(given, requirements);
  for (const { id, state, why = "" } of limits) if (state === "broken") open.push({ requirement: id, why });
  const declared = limits.filter(({ state }) => state === "declared").map(({ id }) => id);
  const waived = [...all.map(({ id, standing: { state } }) => ({ id, state })), ...limits]
    .filter(({ state }) => state === "waived")
    .map(({ id }) => id);
  const kept = all.filter(({ standing }) => standing.state === "proven" && standing.kept).map(({ id }) => id);
  const low = all.flatMap(({ id, standing }) =>
    standing.state === "proven" && standing.grade < PROVING_GRADE ? [{ id, isByText: standing.byText === true }] : [],
  );
  const byText = low.filter((each) => each.isByText).map(({ id }) => id);
  const ungraded = low.filter((each) => !each.isByText).map(({ id }) => id);
  return {
    proven: all.filter(({ standing }) => standing.state === "proven").length,
    total: all.length,
    unproven: open.slice(0, NAMED),
    ...(open.length > NAMED ? { more: open.length - NAMED } : {}),
    ...(waived.length > 0 ? { waived: waived.slice(0, NAMED) } : {}),
    ...(ungraded.length > 0 ? { ungraded: ungraded.slice(0, NAMED) } : {}),
    ...(byText.length > 0 ? { byText: byText.slice(0, NAMED) } : {}),
    ...(kept.length > 0 ? { kept: kept.slice(0, NAMED) } : {}),
    ...(declared.length > 0 ? { declared } : {}),
  };
}

/** Nothing asked for is nothing proven. */
export const isAllProven = ({ unproven, total }: ProofCount): boolean => unproven.length === 0 && total > 0;

/** `proven 14/16` */
export const provenNote = ({ proven, total }: ProofCount): string => `proven ${proven}/${total}`;

/** `Proven 14/16. Not proven: R3 (no evidence); R7 (…). Waived: R9.` */
export function provenWords(given: ProofCount): string {
  const { unproven, more = 0, waived = [], ungraded = [], byText = [], kept = [], declared = [] } = given;
  if (given.total === 0) return "It names no requirements, so that nothing of it is proven.";
  const named = unproven.slice(0, SHOWN).map(({ requirement, why }) => `${requirement} (${why})`);
  const left = unproven.length + more - named.length;
  return [
    `Proven ${given.proven}/${given.total}.`,
    ...(named.length > 0 ? [`Not proven: ${named.join("; ")}${left > 0 ? `; and ${left} more` : ""}.`] : []),
    ...(waived.length > 0 ? [`Waived: ${waived.join(", ")}.`] : []),
    ...(ungraded.length > 0 ? [`By E1 only, as no stubs can be made: ${ungraded.join(", ")}.`] : []),
    ...(byText.length > 0 ? [`By their text, not for how good it is: ${byText.join(", ")}.`] : []),
    ...(kept.length > 0 ? [`Kept as before the run: ${kept.join(", ")}.`] : []),
    ...(declared.length > 0 ? [`Constraints by declaration alone: ${declared.join(", ")}.`] : []),
  ].join(" ");
}
const SHOWN = 8;
