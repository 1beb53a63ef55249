/** The requirements of a run with their evidence, as they are shown. Pure. */
import * as z from "zod";
import type { Requirement } from "../program/program.ts";
import { ConstraintRow, constraintRows } from "./constraint-standing.ts";
import { Evidence } from "./evidence.ts";
import { partsOf } from "./requirement-parts.ts";
import { type GatheredOfTask, ProofCount, provenOf, standingOfRequirement } from "./standing.ts";

export const RequirementRow = z.object({
  id: z.string(),
  text: z.string(),
  state: z.enum(["proven", "waived", "unproven"]),
  /** The best grade of its evidence. */
  grade: z.int().optional(),
  /** Why it is not proven, is proven by no higher grade, or was waived. */
  why: z.string().optional(),
  /** It held before the run too: nothing that proves it was red then. */
  kept: z.literal(true).optional(),
  /** What proves it is of documents: that the text is there, not that it is good. */
  byText: z.literal(true).optional(),
  evidence: z.array(Evidence),
});
export type RequirementRow = z.infer<typeof RequirementRow>;

export const EvidenceTable = ProofCount.extend({
  requirements: z.array(RequirementRow),
  /** What the task says limits how it is done. Absent: it names none. */
  constraints: z.array(ConstraintRow).optional(),
});
export type EvidenceTable = z.infer<typeof EvidenceTable>;

export function evidenceTable(requirements: Requirement[], given: GatheredOfTask): EvidenceTable {
  const parts = partsOf(requirements);
  const rows = requirements.map(({ id, text }): RequirementRow => {
    const standing = standingOfRequirement(id, { ...given, parts });
    const evidence = given.evidence.filter(({ requirement }) => requirement === id);
    return { id, text, ...standing, evidence };
  });
  const constraints = constraintRows(given, requirements);
  const limits = constraints.length > 0 ? { constraints } : {};
  return { ...provenOf(requirements, given), requirements: rows, ...limits };
}
