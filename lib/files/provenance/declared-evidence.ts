/** The checks that a manifest declares as evidence, and how far it says that the requirements are proven. */
import * as z from "zod";
import { isOfDocuments } from "../../core/evidence/documents/document-check.ts";
import { EvidenceCheck } from "../../core/evidence/evidence.ts";
import { ProofCount } from "../../core/evidence/standing.ts";
import { parentOf } from "../../core/program/requirements.ts";
import type { Manifest } from "./verify-delivery.ts";

/** Tests, a command or texts: what names none would be green, and of several only one would be looked at. */
const isOneCheck = (check: EvidenceCheck): boolean => {
  const { tests = [], argv = [] } = check;
  return [tests.length > 0, argv.length > 0, isOfDocuments(check)].filter(Boolean).length === 1;
};

const ID_CHARS = 200;
const DeclaredCheck = z.object({
  requirement: z.string().max(ID_CHARS),
  n: z.int().positive(),
  grade: z.int().min(1).max(5),
  check: EvidenceCheck.refine(isOneCheck),
});
export type DeclaredCheck = z.infer<typeof DeclaredCheck>;

/** A run has no more; a manifest may say anything. */
const CHECKS = 10_000;

const Declared = z.object({ requirements: ProofCount, evidence: z.array(DeclaredCheck).max(CHECKS) });

/** What checks can prove: the requirements that they name, and those that have them as parts. */
function checkedOf(checks: readonly DeclaredCheck[]): Set<string> {
  const checked = new Set<string>();
  for (const { requirement } of checks)
    for (let id = requirement; id !== "" && !checked.has(id); id = parentOf(id)) checked.add(id);
  return checked;
}

export interface DeclaredEvidence {
  proven: ProofCount;
  checks: DeclaredCheck[];
}

/** Undefined: the run asked for no evidence. Throws where what the manifest says of it cannot be read. */
export function declaredEvidence({ statement }: Manifest): DeclaredEvidence | undefined {
  const result = statement.predicate.runDetails.byproducts.find(({ name }) => name === "result")?.annotations;
  if (result?.evidence === undefined) return undefined;
  const { requirements, evidence } = Declared.parse(result);
  if (requirements.proven > checkedOf(evidence).size) throw new Error("it calls more proven than its checks can prove");
  return { proven: requirements, checks: evidence };
}
