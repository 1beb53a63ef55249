/** When each requirement was proven, lost and waived: by row of requirements and column of instructions. Pure. */
import {
  checkText,
  type Evidence,
  evidenceName,
  isRed,
  isTooWeak,
  isUnmet,
  OF_EXAMINER,
  PROVING_GRADE,
  wasProof,
} from "../../core/evidence/evidence.ts";
import type { RequirementRow } from "../../core/evidence/table.ts";
import { pluralize } from "../../core/text/format.ts";

/** In a cell that several share, the first of these is shown: what is not proven must not hide behind what is. */
export const MOMENTS = [
  "red again",
  "not proven",
  "noted, no proof",
  "waived",
  "proven at E1",
  "kept",
  "proven",
] as const;
export type Moment = (typeof MOMENTS)[number];

export interface ProofMoment {
  requirement: string;
  /** Absent: at delivery, or now where it is not delivered yet. */
  instruction?: number;
  moment: Moment;
  why: string;
}

/** Each check from red to green, each proof that was red again, and how it ended. */
export function momentsOf({ id, state, grade, kept, why = "", evidence }: RequirementRow, isDelivered: boolean) {
  const moments: ProofMoment[] = evidence
    .filter((each) => !isUnmet(each) || isTooWeak(each))
    .flatMap((each) => [
      { requirement: id, instruction: instructionOf(each), moment: momentOf(each), why: shownBy(each) },
      ...(each.again && isRed(each.again) && wasProof(each)
        ? [
            {
              requirement: id,
              instruction: each.again.instruction,
              moment: "red again" as const,
              why: `${evidenceName(each)}: ${each.again.detail}`,
            },
          ]
        : []),
    ]);
  const last = { requirement: id, why };
  if (state === "waived") moments.push({ ...last, moment: "waived" });
  else if (isDelivered && state === "unproven") moments.push({ ...last, moment: "not proven" });
  else if (isDelivered) moments.push({ ...last, moment: gradedMoment(grade, kept) });
  return moments;
}

/** The examiner writes its checks before the first instruction: what counts is when one was met. */
const instructionOf = ({ instruction, metIn, work, again }: Evidence): number =>
  instruction !== OF_EXAMINER ? instruction : (metIn ?? (again && again.tree === work.tree ? again.instruction : 1));

function shownBy(each: Evidence): string {
  const author = each.independent === false ? ", by its author" : "";
  return `${evidenceName(each)} ${checkText(each.check)}: ${each.base.status} → ${each.work.status}, E${each.grade}${author}`;
}

const momentOf = (each: Evidence): Moment => (wasProof(each) ? gradedMoment(each.grade, each.kept) : "noted, no proof");

const gradedMoment = (grade = 1, kept?: true): Moment =>
  kept ? "kept" : grade >= PROVING_GRADE ? "proven" : "proven at E1";

export interface MomentCell {
  row: number;
  column: number;
  moment: Moment;
  at?: number;
  description: string;
}

const NAMED = 3;

/** `placeOf`: the cell of a moment, if it has one. */
export function cellsOf(
  moments: ProofMoment[],
  placeOf: (moment: ProofMoment) => { row: number; column: number },
): MomentCell[] {
  const groups = Map.groupBy(moments, (each) => {
    const { row, column } = placeOf(each);
    return `${row} ${column}`;
  });
  return [...groups.values()].flatMap((all) => {
    const shown = all.toSorted((one, other) => MOMENTS.indexOf(one.moment) - MOMENTS.indexOf(other.moment));
    const [first] = shown;
    if (!first) return [];
    const more = shown.length - NAMED;
    const named = shown.slice(0, NAMED).map(describe).join("; ");
    const at = first.instruction === undefined ? {} : { at: first.instruction };
    const description = named + (more > 0 ? `; and ${pluralize(more, "mark")} more` : "");
    return [{ ...placeOf(first), moment: first.moment, ...at, description }];
  });
}

const describe = ({ requirement, instruction, moment, why }: ProofMoment): string =>
  `${requirement} ${instruction === undefined ? "in the end" : `in ${instruction}`}: ${moment}${why === "" ? "" : ` (${why.slice(0, 160)})`}`;
