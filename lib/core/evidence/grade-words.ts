/** A grade as watchers read it. Pure. */
import { isOfDocuments, kindOfDocumentCheck } from "./documents/document-check.ts";
import { type Evidence, GIVEN_GRADE, INDEPENDENT_GRADE, PROVING_GRADE, type ProofGrade, wasProof } from "./evidence.ts";

/** `proven (E2: red on stubs)` */
export function gradeWords(evidence: ProofGrade & Pick<Evidence, "check">): string {
  const { grade, noStubs, reason, check, independent } = evidence;
  if (independent === false) return `noted, no proof (E${grade}, by its author)`;
  if (grade >= GIVEN_GRADE) return `proven (E${grade}: given by the user)`;
  if (grade === INDEPENDENT_GRADE) return `proven (E${grade}: independent, and notices small changes of the code)`;
  if (grade > PROVING_GRADE) return `proven (E${grade}: notices small changes of the code)`;
  if (!wasProof(evidence) && (grade === PROVING_GRADE || noStubs !== undefined))
    return `noted, no proof (E${grade}: ${reason})`;
  if (grade >= PROVING_GRADE) return `proven (E${grade}: red on stubs)`;
  if (noStubs === undefined) return `noted, no proof (E${grade})`;
  return isOfDocuments(check)
    ? `proven (E${grade}: by ${kindOfDocumentCheck(check)})`
    : `proven (E${grade}: no stubs of ${noStubs})`;
}
