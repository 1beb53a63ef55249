/** The checks that a manifest declares as evidence, and how far it says that the requirements are proven. */
import * as z from "zod";
import { isOfDocuments } from "../../core/evidence/documents/document-check.ts";
import { EvidenceCheck } from "../../core/evidence/evidence.ts";
import { ProofCount } from "../../core/evidence/standing.ts";
import type { Manifest } from "./verify-delivery.ts";

/** Tests, a command or texts: what names none would be green, and of several only one would be looked at. */
const isOneCheck = (check: EvidenceCheck): boolean => {
  const { tests = [], argv = [] } = check;
  return [tests.length > 0, argv.length > 0, isOfDocuments(check)].filter(Boolean).length === 1;
};

const DeclaredCheck = z.object({
  requirement: z.string(),
  n: z.int().positive(),
  grade: z.int().min(1).max(5),
  check: EvidenceCheck.refine(isOneCheck),
});
export type DeclaredCheck = z.infer<typeof DeclaredCheck>;

/** A run has no more; a manifest may say anything. */
const CHECKS = 10_000;

const Declared = z.object({ requirements: ProofCount, evidence: z.array(DeclaredCheck).max(CHECKS) });

export interface DeclaredEvidence {
  proven: ProofCount;
  checks: DeclaredCheck[];
}

/** Undefined: the run asked for no evidence. Throws where what the manifest says of it cannot be read. */
export function declaredEvidence({ statement }: Manifest): DeclaredEvidence | undefined {
  const result = statement.predicate.runDetails.byproducts.find(({ name }) => name === "result")?.annotations;
  if (result?.evidence === undefined) return undefined;
  const { requirements, evidence } = Declared.parse(result);
  return { proven: requirements, checks: evidence };
}
